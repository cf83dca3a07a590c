// Reads oracles, the files of `puzzlemc export LEVEL --to oracle -o FILE`; their format is docs/oracle.md. C# 6.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;

public enum Status { Unknown, Lost, Solved, Open }  // Open: it has a solution

public struct Answer {
    public Status Status;
    public uint Distance;  // to a solution, of an open position
    public IReadOnlyList<string> Moves;  // all best ones of an open position; null of a lost or unknown one
}

public sealed class Oracle {
    const uint Never = uint.MaxValue;
    const int Header = 40, Longest = 48;
    static readonly byte[] Magic = { 0x89, 0x4F, 0x52, 0x41, 13, 10, 26, 10 };
    readonly byte[] data;
    readonly uint[] counts = new uint[5], distances;
    readonly string[][] sets;
    readonly ulong[] distanceCode = new ulong[Longest + 1], setCode = new ulong[Longest + 1];  // codewords of each length
    readonly int bits, regions;  // where they are in the data
    readonly List<KeyValuePair<int, int[]>>[] patterns;  // by the first place of their objects: region, places
    int at = Header;

    public bool IsExact => data[17] == 1;  // if not, Lost is proved, and all other positions are Unknown
    public string Puzzle { get; }
    public string Metric { get; }
    public string Start { get; }  // the key of the start: compare it with the key that the game makes

    // Throws InvalidDataException for a damaged file.
    public Oracle(byte[] data) {
        this.data = data;
        Need(data.Length >= Header && data.Take(8).SequenceEqual(Magic), "no oracle");
        Need(U32(12) == data.Length && U32(8) == Crc(), "its size or checksum");
        Need(data[16] == 1 && (data[17] == 1 || data[17] == 2), "its version or kind");
        for (var i = 0; i < 5; i++) counts[i] = U32(20 + 4 * i);
        Puzzle = Text(); Metric = Text(); Start = Text();
        if (IsExact) {
            Need(data[18] <= 32 && counts[1] >= 64 && counts[1] <= 1u << 27 && counts[3] > 0, "its counts");
            var names = List(counts[2], Text);
            var sums = new ulong[2]; var before = new uint[2];
            distances = List(counts[3], () => { var distance = Long(); Add(distanceCode, ref sums[0], ref before[0]); return distance; });
            sets = List(counts[4], () => {
                Add(setCode, ref sums[1], ref before[1]);
                return List(Long(), () => { var name = Long(); Need(name < names.Length, "a move"); return names[name]; });
            });
            Need(sums[0] == 1ul << Longest && (sums[1] == 1ul << Longest || (counts[4] == 0 && distances.All(each => each == Never))), "a code");
            bits = Skip((counts[1] + 7) / 8);
            Need(data.Length - at == 8, "its end");
        } else {
            Need(counts[0] <= 65536, "its board");
            regions = Skip((counts[0] + 7) / 8 * (long)counts[2]);
            patterns = Enumerable.Range(0, (int)counts[0]).Select(_ => new List<KeyValuePair<int, int[]>>()).ToArray();
            for (uint i = 0; i < counts[1]; i++) {
                uint region = Long(), count = data[Skip(1)];
                var places = List(count, () => { var from = Skip(2); return data[from] | data[from + 1] << 8; });
                Need(region < counts[2] && count > 0 && places.All(place => place < counts[0]), "a pattern");
                patterns[places[0]].Add(new KeyValuePair<int, int[]>((int)region, places));
            }
            Need(at == data.Length, "its end");
        }
    }

    public Answer Ask(string key) {
        if (!IsExact) return new Answer { Status = IsLost(key) ? Status.Lost : Status.Unknown };
        var text = Encoding.UTF8.GetBytes(key);
        uint low = Hashed(text, 0xCC9E2D51, 15, 0x1B873593), high = Hashed(text, 0x239B961B, 16, 0xAB0E9789);
        uint own = Finished(Finished(low) ^ high), number = 0;
        for (; number < data[18]; number++)
            if (Bit(low, high, number) != (own >> (int)number & 1)) return new Answer { Status = Status.Unknown };
        var distance = distances[Decoded(distanceCode, low, high, ref number)];
        if (distance == Never) return new Answer { Status = Status.Lost };
        var moves = sets[Decoded(setCode, low, high, ref number)];
        return new Answer { Status = moves.Length > 0 ? Status.Open : Status.Solved, Distance = distance, Moves = moves };
    }

    bool IsLost(string key) {
        var numbers = new List<int>();
        foreach (var part in key.Split(' ')) {
            if (part.Length == 0 || part.Length > 5 || !part.All(digit => digit >= '0' && digit <= '9')) return false;
            var place = int.Parse(part);
            if (place >= counts[0] || (numbers.Count > 1 && place <= numbers[numbers.Count - 1])) return false;
            numbers.Add(place);
        }
        if (numbers.Count != counts[3] + 1) return false;
        int player = numbers[0], wide = ((int)counts[0] + 7) / 8;
        var taken = new HashSet<int>(numbers.Skip(1));
        foreach (var first in taken)
            foreach (var each in patterns[first])
                if ((data[regions + each.Key * wide + player / 8] >> player % 8 & 1) == 1 && Array.TrueForAll(each.Value, taken.Contains)) return true;
        return false;
    }
    static void Need(bool holds, string words) { if (!holds) throw new InvalidDataException("damaged oracle: " + words); }
    uint U32(int from) => BitConverter.IsLittleEndian ? BitConverter.ToUInt32(data, from) : (uint)(data[from] | data[from + 1] << 8 | data[from + 2] << 16 | data[from + 3] << 24);
    int Skip(long length) { Need(length <= data.Length - at, "its length"); at += (int)length; return at - (int)length; }
    uint Long() => U32(Skip(4));
    string Text() {
        long length = Long();
        var from = Skip(length + 1);
        Need(data[from + length] == 0, "a text");
        return Encoding.UTF8.GetString(data, from, (int)length);
    }
    T[] List<T>(uint count, Func<T> each) {
        Need(count <= data.Length, "a count");
        var found = new T[count];
        for (var i = 0; i < count; i++) found[i] = each();
        return found;
    }
    // Add a codeword to a canonical prefix code: shorter ones come first. In the end, the sum of 2^-length is 1.
    void Add(ulong[] code, ref ulong sum, ref uint before) {
        uint length = data[Skip(1)];
        Need(length <= Longest && length >= before && (sum += 1ul << (int)(Longest - length)) <= 1ul << Longest, "a code");
        code[before = length]++;
    }
    uint Decoded(ulong[] count, uint low, uint high, ref uint number) {
        ulong word = 0, first = 0, place = 0;
        for (var length = 0; word - first >= count[length]; length++) {
            place += count[length]; first = 2 * (first + count[length]); word = 2 * word + Bit(low, high, number++);
        }
        return (uint)(place + word - first);
    }
    // The parity of those of 64 neighbouring entries that the hash and the number choose.
    uint Bit(uint low, uint high, uint number) {
        uint mixed = Finished(unchecked(low ^ (number + 1) * 0x9E3779B1)), one = Finished(high ^ mixed);
        ulong row = one | (ulong)Finished(unchecked(one + 0x7F4A7C15)) << 32 | 1, start = (ulong)(mixed >> 6) * (counts[1] - 63) >> 26;
        int from = bits + (int)(start / 8), by = (int)(start % 8);
        ulong x = U32(from) | (ulong)U32(from + 4) << 32;
        x = row & (by > 0 ? x >> by | (ulong)data[from + 8] << 64 - by : x);
        for (var half = 32; half > 0; half /= 2) x ^= x >> half;
        return (uint)(x & 1);
    }
    static uint Finished(uint x) { unchecked { x = (x ^ x >> 16) * 0x85EBCA6B; x = (x ^ x >> 13) * 0xC2B2AE35; return x ^ x >> 16; } }
    static uint Rotated(uint x, int by) => x << by | x >> 32 - by;
    uint Hashed(byte[] text, uint one, int by, uint two) {  // MurmurHash3
        uint h = data[19], rest = 0;
        int i = 0;
        Func<uint, uint> scrambled = block => unchecked(Rotated(block * one, by) * two);
        for (; i + 4 <= text.Length; i += 4) h = unchecked(Rotated(h ^ scrambled((uint)(text[i] | text[i + 1] << 8 | text[i + 2] << 16 | text[i + 3] << 24)), 13) * 5 + 0xE6546B64);
        for (var end = i; i < text.Length; i++) rest |= (uint)text[i] << 8 * (i - end);
        return Finished(h ^ scrambled(rest) ^ (uint)text.Length);
    }
    uint Crc() {
        var x = uint.MaxValue;
        for (var i = 12; i < data.Length; i++) { x ^= data[i]; for (var j = 0; j < 8; j++) x = x >> 1 ^ (0xEDB88320 & (uint)-(x & 1)); }
        return ~x;
    }
}
