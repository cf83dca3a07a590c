/* Reads oracles, the files of `puzzlemc export LEVEL --to oracle -o FILE`; their format is docs/oracle.md. C99. */
#ifndef ORACLE_H
#define ORACLE_H
#include <stddef.h>
#include <stdint.h>

typedef struct oracle oracle;
typedef enum { ORACLE_UNKNOWN, ORACLE_LOST, ORACLE_SOLVED, ORACLE_OPEN } oracle_status; /* OPEN: it has a solution */
typedef enum { ORACLE_PUZZLE, ORACLE_METRIC, ORACLE_START } oracle_text;
typedef struct { uint32_t distance, moves; const uint8_t *list; } oracle_answer; /* of SOLVED and OPEN positions */

oracle *oracle_open(const uint8_t *data, size_t size); /* NULL for a damaged file; `data` must stay until the end */
void oracle_close(oracle *);
int oracle_is_exact(const oracle *); /* 0: LOST is proved, and all other positions are UNKNOWN */
const char *oracle_about(const oracle *, oracle_text); /* START is a key: compare it with the key that the game makes */
oracle_status oracle_ask(const oracle *, const char *key, size_t length, oracle_answer *);
const char *oracle_move(const oracle *, const oracle_answer *, uint32_t number); /* number < answer->moves */
#endif
