// Ask ROUNDS (KEYS ORACLE OUTPUT)...: writes the answers of each oracle to all keys, a zero byte between them.
// If ROUNDS is not 0: nanoseconds of a question, and how many positions are lost.
using System;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Text;

static class Ask {
    static void Main(string[] names) {
        var rounds = int.Parse(names[0]);
        for (var i = 1; i + 2 < names.Length; i += 3) {
            var texts = Encoding.UTF8.GetString(File.ReadAllBytes(names[i])).Split('\0');
            texts = texts.Take(texts.Length - 1).ToArray();
            var oracle = Opened(names[i + 1]);
            File.WriteAllText(names[i + 2], oracle == null ? "damaged" : rounds > 0 ? Timed(oracle, texts, rounds) : Answered(oracle, texts));
        }
    }

    static Oracle Opened(string file) {
        try {
            return new Oracle(File.ReadAllBytes(file));
        } catch (InvalidDataException) {
            return null;
        }
    }

    static string Timed(Oracle oracle, string[] texts, int rounds) {
        var began = Process.GetCurrentProcess().TotalProcessorTime;
        var lost = 0;
        for (var round = 0; round < rounds; round++)
            foreach (var key in texts) lost += oracle.Ask(key).Status == Status.Lost ? 1 : 0;
        var spent = Process.GetCurrentProcess().TotalProcessorTime - began;
        return spent.TotalMilliseconds * 1e6 / rounds / texts.Length + " " + lost / rounds;
    }

    static string Answered(Oracle oracle, string[] texts) {
        var found = new StringBuilder(string.Join("\t", oracle.IsExact ? "exact" : "lost", oracle.Puzzle, oracle.Metric, oracle.Start));
        foreach (var key in texts) {
            var answer = oracle.Ask(key);
            found.Append("\0" + answer.Status.ToString().ToLowerInvariant());
            if (answer.Moves != null) found.Append("\t" + string.Join("\t", new[] { answer.Distance.ToString() }.Concat(answer.Moves)));
        }
        return found.ToString();
    }
}
