/* ask ROUNDS (KEYS ORACLE OUTPUT)...: writes the answers of each oracle to all keys, a zero byte between them.
 * If ROUNDS is not 0: nanoseconds of a question, and how many positions are lost. */
#include "oracle.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint8_t *content(const char *name, size_t *size) { /* of exactly that size, so that a read beyond it is found */
    FILE *file = fopen(name, "rb");
    if (!file) exit(2);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    uint8_t *data = malloc(*size ? *size : 1);
    if (!data || fread(data, 1, *size, file) != *size) exit(2);
    fclose(file);
    return data;
}

static void timed(FILE *output, const oracle *found, const char *keys, size_t length, int rounds) {
    oracle_answer answer;
    size_t lost = 0, asked = 0;
    clock_t began = clock();
    for (int round = 0; round < rounds; round++)
        for (size_t at = 0, size; at < length; at += size + 1, asked++)
            lost += oracle_ask(found, keys + at, size = strlen(keys + at), &answer) == ORACLE_LOST;
    fprintf(output, "%f %zu", (double)(clock() - began) * 1e9 / CLOCKS_PER_SEC / (double)asked, lost / (size_t)rounds);
}

static void answered(FILE *output, const oracle *found, const char *keys, size_t length) {
    static const char *const STATUS[] = {"unknown", "lost", "solved", "open"};
    oracle_answer answer;
    fprintf(output, "%s\t%s\t%s\t%s", oracle_is_exact(found) ? "exact" : "lost", oracle_about(found, ORACLE_PUZZLE),
           oracle_about(found, ORACLE_METRIC), oracle_about(found, ORACLE_START));
    for (size_t at = 0, size; at < length; at += size + 1) {
        oracle_status status = oracle_ask(found, keys + at, size = strlen(keys + at), &answer);
        fprintf(output, "%c%s", 0, STATUS[status]);
        if (status == ORACLE_SOLVED || status == ORACLE_OPEN) fprintf(output, "\t%u", answer.distance);
        for (uint32_t i = 0; i < answer.moves; i++) fprintf(output, "\t%s", oracle_move(found, &answer, i));
    }
}

int main(int count, char **names) {
    int rounds = atoi(names[1]);
    for (int i = 2; i + 2 < count; i += 3) {
        size_t size, length;
        uint8_t *keys = content(names[i], &length), *data = content(names[i + 1], &size);
        oracle *found = oracle_open(data, size);
        FILE *output = fopen(names[i + 2], "wb");
        if (!output) return 2;
        if (!found) fprintf(output, "damaged");
        else if (rounds) timed(output, found, (char *)keys, length, rounds);
        else answered(output, found, (char *)keys, length);
        fclose(output);
        oracle_close(found);
        free(data);
        free(keys);
    }
    return 0;
}
