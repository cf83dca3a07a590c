/* See oracle.h. Questions allocate nothing and change nothing, so threads may share an oracle. */
#include "oracle.h"
#include <stdlib.h>
#include <string.h>

enum { HEADER = 40, LONGEST = 48, EXACT = 1, LOST_ONLY = 2, NAMES = 0, DISTANCES, SETS };
static const uint64_t WHOLE = (uint64_t)1 << LONGEST;
static const uint8_t MAGIC[8] = {0x89, 0x4F, 0x52, 0x41, 13, 10, 26, 10};

struct oracle {
    const uint8_t *data, *bits, *regions, *patterns;
    size_t size, at; /* `at` is what is read next; beyond the size after an error */
    uint32_t print, seed, counts[5], texts[3], *lists[3]; /* where names are, distances, where sets are */
    uint64_t codes[2][LONGEST + 1]; /* how many codewords each length has */
};
static uint32_t u16(const uint8_t *p) { return p[0] | (uint32_t)p[1] << 8; }
static uint32_t u32(const uint8_t *p) { return u16(p) | u16(p + 2) << 16; }
static uint64_t u64(const uint8_t *p) { return u32(p) | (uint64_t)u32(p + 4) << 32; }
static uint32_t crc(const uint8_t *p, size_t size) {
    uint32_t x = ~0u;
    while (size--) { x ^= *p++; for (int i = 0; i < 8; i++) x = x >> 1 ^ (0xEDB88320u & -(x & 1)); }
    return ~x;
}
static int failed(const oracle *o) { return o->at > o->size; }
static void fail(oracle *o) { o->at = o->size + 1; } /* since then, reads give 0 */
static uint32_t skip(oracle *o, uint64_t length) { /* the place of the next bytes; 0 if the file ends before */
    if (failed(o) || length > o->size - o->at) return fail(o), 0;
    o->at += length;
    return (uint32_t)(o->at - length);
}
static uint32_t next(oracle *o, unsigned width) { /* a number of that many bytes, 0 after an error */
    const uint8_t *p = o->data + skip(o, width);
    return failed(o) ? 0 : width == 1 ? *p : width == 2 ? u16(p) : u32(p);
}
static uint32_t text(oracle *o) {
    uint64_t length = next(o, 4);
    uint32_t at = skip(o, length + 1);
    if (!failed(o) && o->data[at + length]) fail(o);
    return at;
}
/* Add a codeword to a canonical prefix code. `sum` is that of all 2^-length, as a multiple of 2^-LONGEST. */
static void add(oracle *o, uint64_t *code, uint64_t *sum, uint32_t *before) {
    uint32_t length = next(o, 1);
    if (length > LONGEST || length < *before || (*sum += WHOLE >> length) > WHOLE) fail(o);
    else code[*before = length]++;
}
static int read_exact(oracle *o) {
    uint32_t entries = o->counts[1], *c = o->counts, before[2] = {0, 0}, is_live = 0;
    uint64_t sums[2] = {0, 0};
    if (o->print > 32 || entries < 64 || entries > 1u << 27 || c[2] > o->size || c[3] > o->size || c[4] > o->size) return 0;
    for (int i = 0; i < 3; i++) if (!(o->lists[i] = malloc((c[2 + i] + (size_t)1) * 4))) return 0;
    for (uint32_t i = 0; i < c[2] && !failed(o); i++) o->lists[NAMES][i] = text(o);
    for (uint32_t i = 0; i < c[3] && !failed(o); i++) {
        is_live |= (o->lists[DISTANCES][i] = next(o, 4)) != UINT32_MAX;
        add(o, o->codes[0], &sums[0], &before[0]);
    }
    for (uint32_t i = 0; i < c[4] && !failed(o); i++) {
        add(o, o->codes[1], &sums[1], &before[1]);
        o->lists[SETS][i] = (uint32_t)o->at;
        for (uint32_t left = next(o, 4); left && !failed(o); left--) if (next(o, 4) >= c[2]) fail(o);
    }
    o->bits = o->data + skip(o, (entries + 7) / 8);
    return sums[0] == WHOLE && (sums[1] == WHOLE || !(c[4] || is_live)) && !failed(o) && o->size - o->at == 8;
}
static int read_lost(oracle *o) {
    uint32_t board = o->counts[0];
    o->regions = o->data + skip(o, (board + (uint64_t)7) / 8 * o->counts[2]);
    o->patterns = o->data + skip(o, 0);
    for (uint32_t i = 0; i < o->counts[1] && !failed(o); i++) {
        if (next(o, 4) >= o->counts[2]) return 0;
        for (uint32_t left = next(o, 1); left; left--) if (next(o, 2) >= board) return 0;
    }
    return board <= 65536 && o->at == o->size;
}

oracle *oracle_open(const uint8_t *data, size_t size) {
    if (size < HEADER || memcmp(data, MAGIC, 8) || u32(data + 12) != size || u32(data + 8) != crc(data + 12, size - 12)) return NULL;
    oracle *o = calloc(1, sizeof *o);
    if (o == NULL) return NULL;
    o->data = data, o->size = size, o->at = HEADER, o->print = data[18], o->seed = data[19];
    for (int i = 0; i < 5; i++) o->counts[i] = u32(data + 20 + 4 * i);
    for (int i = 0; i < 3; i++) o->texts[i] = text(o);
    int is_sound = !failed(o) && data[16] == 1 && (data[17] == EXACT ? read_exact(o) : data[17] == LOST_ONLY && read_lost(o));
    return is_sound ? o : (oracle_close(o), NULL);
}
void oracle_close(oracle *o) { if (o) free(o->lists[NAMES]), free(o->lists[DISTANCES]), free(o->lists[SETS]), free(o); }
int oracle_is_exact(const oracle *o) { return o->data[17] == EXACT; }
const char *oracle_about(const oracle *o, oracle_text which) { return (const char *)o->data + o->texts[which]; }
const char *oracle_move(const oracle *o, const oracle_answer *answer, uint32_t number) {
    return (const char *)o->data + o->lists[NAMES][u32(answer->list + 4 * (size_t)number)];
}

static uint32_t finished(uint32_t x) {
    x = (x ^ x >> 16) * 0x85EBCA6Bu, x = (x ^ x >> 13) * 0xC2B2AE35u;
    return x ^ x >> 16;
}
static uint32_t rotated(uint32_t x, int by) { return x << by | x >> (32 - by); }
static uint32_t hashed(const uint8_t *p, size_t size, uint32_t h, uint32_t one, int by, uint32_t two) { /* MurmurHash3 */
    uint32_t rest = 0, at = 0;
    for (; at + 4 <= size; at += 4) h = rotated(h ^ rotated(u32(p + at) * one, by) * two, 13) * 5 + 0xE6546B64u;
    for (uint32_t i = at; i < size; i++) rest |= (uint32_t)p[i] << 8 * (i - at);
    return finished(h ^ rotated(rest * one, by) * two ^ (uint32_t)size);
}
static uint32_t bit(const oracle *o, const uint32_t *hash, uint32_t number) { /* a parity of 64 neighbouring entries */
    uint32_t mixed = finished(hash[0] ^ (number + 1) * 0x9E3779B1u), one = finished(hash[1] ^ mixed);
    uint64_t row = one | (uint64_t)finished(one + 0x7F4A7C15u) << 32 | 1, start = (uint64_t)(mixed >> 6) * (o->counts[1] - 63) >> 26;
    const uint8_t *p = o->bits + start / 8;
    uint64_t x = row & (start % 8 ? u64(p) >> start % 8 | (uint64_t)p[8] << (64 - start % 8) : u64(p));
    for (int by = 32; by; by /= 2) x ^= x >> by;
    return x & 1;
}
static uint32_t decoded(const oracle *o, const uint64_t *count, const uint32_t *hash, uint32_t *number) {
    uint64_t word = 0, first = 0, place = 0;
    for (int length = 0; word - first >= count[length]; length++)
        place += count[length], first = 2 * (first + count[length]), word = 2 * word + bit(o, hash, (*number)++);
    return (uint32_t)(place + word - first);
}

static oracle_status ask_lost(const oracle *o, const char *key, size_t length) {
    uint8_t taken[8192] = {0}; /* by place: is an object there? */
    uint32_t player = 0, board = o->counts[0], last = 0, count = 0;
    for (size_t at = 0; at <= length; at++, count++) {
        uint32_t place = 0, digits = 0;
        for (; at < length && key[at] >= '0' && key[at] <= '9' && digits < 5; digits++) place = 10 * place + (uint32_t)(key[at++] - '0');
        if (!digits || place >= board || (at < length && key[at] != ' ') || (count > 1 && place <= last)) return ORACLE_UNKNOWN;
        if (!count) player = place;
        else taken[(last = place) / 8] |= (uint8_t)(1 << place % 8);
    }
    const uint8_t *p = o->patterns;
    for (uint32_t i = 0; count == o->counts[3] + 1 && i < o->counts[1]; i++, p += 5 + 2 * p[4]) {
        int fits = p[4] && o->regions[(board + 7) / 8 * (size_t)u32(p) + player / 8] >> player % 8 & 1;
        for (int j = 0; fits && j < p[4]; j++) fits = taken[u16(p + 5 + 2 * j) / 8] >> u16(p + 5 + 2 * j) % 8 & 1;
        if (fits) return ORACLE_LOST;
    }
    return ORACLE_UNKNOWN;
}

oracle_status oracle_ask(const oracle *o, const char *key, size_t length, oracle_answer *answer) {
    const uint8_t *p = (const uint8_t *)key;
    memset(answer, 0, sizeof *answer);
    if (!oracle_is_exact(o)) return ask_lost(o, key, length);
    uint32_t hash[2] = {hashed(p, length, o->seed, 0xCC9E2D51u, 15, 0x1B873593u), hashed(p, length, o->seed, 0x239B961Bu, 16, 0xAB0E9789u)};
    uint32_t own = finished(finished(hash[0]) ^ hash[1]), number = 0;
    for (; number < o->print; number++) if (bit(o, hash, number) != (own >> number & 1)) return ORACLE_UNKNOWN;
    uint32_t left = o->lists[DISTANCES][decoded(o, o->codes[0], hash, &number)];
    if (left == UINT32_MAX) return ORACLE_LOST;
    const uint8_t *set = o->data + o->lists[SETS][decoded(o, o->codes[1], hash, &number)];
    answer->distance = left, answer->moves = u32(set), answer->list = set + 4;
    return answer->moves ? ORACLE_OPEN : ORACLE_SOLVED;
}
