"""All SQL of a store: its tables, and every statement that reads or changes them.

Values that a level, a file or a user brings are always parameters (`?`); nothing is pasted into a statement. The
table `choices` holds the options that levels were solved with; its column `told` is their JSON text.
"""

APPLICATION = 0x707A6D63  # identifies the file as a store
VERSION = 1  # of the tables
CACHE_KIB = 32 << 10  # digests arrive in random order: their pages should stay in memory

TABLES = """
CREATE TABLE levels (
    id INTEGER PRIMARY KEY,
    content BLOB NOT NULL UNIQUE,
    shape BLOB NOT NULL,
    turn INTEGER NOT NULL,
    puzzle TEXT NOT NULL,
    drawing TEXT NOT NULL,
    first TEXT NOT NULL
);
CREATE INDEX level_by_shape ON levels (shape);
CREATE TABLE texts (digest BLOB PRIMARY KEY, level INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE names (
    id TEXT PRIMARY KEY,
    level INTEGER NOT NULL,
    title TEXT NOT NULL,
    run INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX name_by_level ON names (level);
CREATE TABLE choices (id INTEGER PRIMARY KEY, told TEXT NOT NULL UNIQUE);
CREATE TABLE runs (
    id INTEGER PRIMARY KEY, began REAL NOT NULL, ended REAL, arguments TEXT NOT NULL
);
CREATE TABLE results (
    level INTEGER NOT NULL,
    choice INTEGER NOT NULL,
    run INTEGER NOT NULL,
    verdict TEXT NOT NULL,
    metric TEXT,
    cost INTEGER,
    optimal INTEGER,
    trace TEXT,
    costs TEXT NOT NULL,
    engine TEXT,
    diagrams TEXT,
    encoding TEXT,
    checked INTEGER NOT NULL,
    bound INTEGER,
    reason TEXT,
    seconds REAL NOT NULL,
    peak_mb REAL,
    states INTEGER,
    best TEXT,
    game TEXT,
    note TEXT NOT NULL,
    code INTEGER NOT NULL,
    timeout REAL NOT NULL,
    memory REAL NOT NULL,
    turned_from INTEGER,
    certificate TEXT,
    PRIMARY KEY (level, choice)
) WITHOUT ROWID;
CREATE TABLE certificates (
    level INTEGER NOT NULL, choice INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (level, choice)
) WITHOUT ROWID;
"""

# Records of players, by the digests of levels. Stores of before have none: the table is made when it is needed.

MAKE_RECORDS = """
CREATE TABLE IF NOT EXISTS records (
    content BLOB NOT NULL, metric TEXT NOT NULL, cost INTEGER NOT NULL, moves TEXT NOT NULL, at REAL NOT NULL,
    PRIMARY KEY (content, metric)
) WITHOUT ROWID
"""
ADD_RECORD = (
    "INSERT INTO records (content, metric, cost, moves, at) VALUES (?, ?, ?, ?, ?) "
    "ON CONFLICT (content, metric) DO UPDATE SET cost = excluded.cost, moves = excluded.moves, at = excluded.at "
    "WHERE excluded.cost < records.cost"
)
RECORDS_OF_LEVEL = "SELECT metric, cost, moves FROM records WHERE content = ?"
ANY_RECORD = "SELECT 1 FROM records LIMIT 1"

# Measures of levels. Stores of before have none: the table is made when it is needed.

MAKE_MEASURES = """
CREATE TABLE IF NOT EXISTS measures (
    level INTEGER PRIMARY KEY, measured TEXT NOT NULL, timeout REAL NOT NULL, memory REAL NOT NULL
)
"""
MEASURES_TABLE = "SELECT 1 FROM sqlite_master WHERE name = 'measures'"
ADD_MEASURES = "INSERT OR REPLACE INTO measures (level, measured, timeout, memory) VALUES (?, ?, ?, ?)"
MEASURES_OF_LEVEL = "SELECT measured FROM measures WHERE level = ?"
MEASURES_LIMITS = "SELECT timeout, memory FROM measures WHERE level = ?"
MEASURE_NAMES = "SELECT DISTINCT m.key FROM measures, json_each(measured) m"

# The file

MAKE = f"BEGIN; {TABLES} PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION}; COMMIT;"
SETTINGS = (
    "PRAGMA journal_mode = WAL",
    # A killed process loses nothing with this; a power failure loses the last moment.
    "PRAGMA synchronous = NORMAL",
    f"PRAGMA cache_size = -{CACHE_KIB}",
)
TABLE_COUNT = "SELECT count(*) FROM sqlite_master"
READ_APPLICATION = "PRAGMA application_id"
READ_VERSION = "PRAGMA user_version"

# Runs and options

BEGIN_RUN = "INSERT INTO runs (began, arguments) VALUES (?, ?)"
END_RUN = "UPDATE runs SET ended = ? WHERE id = ?"
ADD_OPTIONS = "INSERT OR IGNORE INTO choices (told) VALUES (?)"
CHOICE_OF_OPTIONS = "SELECT id FROM choices WHERE told = ?"
OPTIONS = "SELECT told FROM choices WHERE id = ?"
ALL_OPTIONS = "SELECT told FROM choices"
CHOICES_BY_PUZZLE = (
    "SELECT l.puzzle, group_concat(DISTINCT r.choice) "
    "FROM results r JOIN levels l ON l.id = r.level GROUP BY l.puzzle"
)

# Levels and names

LEVEL_OF_TEXT = "SELECT level FROM texts WHERE digest = ?"
ADD_TEXT = "INSERT OR REPLACE INTO texts (digest, level) VALUES (?, ?)"
LEVEL_OF_CONTENT = "SELECT id FROM levels WHERE content = ?"
ADD_LEVEL = "INSERT INTO levels (content, shape, turn, puzzle, drawing, first) VALUES (?, ?, ?, ?, ?, ?)"
CONTENT = "SELECT content FROM levels WHERE id = ?"
SHAPE_AND_TURN = "SELECT shape, turn FROM levels WHERE id = ?"
DRAWING = "SELECT puzzle, drawing FROM levels WHERE id = ?"
ANY_LEVEL = "SELECT 1 FROM levels LIMIT 1"
UNANSWERED = "SELECT count(*) FROM levels WHERE id NOT IN (SELECT level FROM results)"
OF_SHAPE = "SELECT id, first FROM levels WHERE shape = (SELECT shape FROM levels WHERE id = ?) ORDER BY id"
ADD_NAME = (
    "INSERT INTO names (id, level, title, run) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET "
    "level = excluded.level, title = excluded.title, run = excluded.run "
    "WHERE run != excluded.run OR level != excluded.level"
)
ALL_NAMES = "SELECT id FROM names"
NAMES = "SELECT id, title FROM names WHERE level = ?"
NAMES_IN_RUN = "SELECT id, title FROM names WHERE level = ? AND run = ?"
NAMES_OF_RUN = "SELECT id, title, level FROM names WHERE run = ? ORDER BY level, length(id), id"
WIDEST_NAME = "SELECT max(length(id)), max(length(title)) FROM names"
COUNTS_OF_LAST_RUN = (
    "SELECT count(*), count(DISTINCT l.id), count(DISTINCT l.shape) "
    "FROM names n JOIN levels l ON l.id = n.level WHERE n.run = (SELECT max(id) FROM runs)"
)

# Results

PROBABILITY = "probability"  # the key of this in `best`
COLUMNS = (
    *("verdict", "metric", "cost", "optimal", "trace", "costs", "engine", "diagrams", "encoding", "checked"),
    *("bound", "reason", "seconds", "peak_mb", "states", "best", "game", "note", "code"),
)  # of a result
LIMITS = ("timeout", "memory", "turned_from", "certificate")  # of a result in a store
KEY = ("level", "choice", "run")
_RESULT = ", ".join(f"r.{name}" for name in COLUMNS)
_JOINED = "FROM levels l JOIN results r ON r.level = l.id"
_OF_KEY = "WHERE r.level = ? AND r.choice = ?"
_ROWS = (
    f"SELECT l.id, l.puzzle, l.first, {', '.join(f'r.{name}' for name in LIMITS)}, r.choice, {_RESULT} {_JOINED}"
)

ADD_RESULT = (
    f"INSERT OR REPLACE INTO results ({', '.join((*KEY, *COLUMNS, *LIMITS))}) "
    f"VALUES ({', '.join('?' * len((*KEY, *COLUMNS, *LIMITS)))})"
)
ALL_ROWS = f"{_ROWS} ORDER BY l.id, r.choice"
ROW = f"{_ROWS} {_OF_KEY}"
RESULT = f"SELECT l.puzzle, {_RESULT} {_JOINED} {_OF_KEY}"
EARLIER = (
    "SELECT verdict, timeout, memory, certificate, optimal, metric, reason FROM results "
    "WHERE level = ? AND choice = ?"
)
SYMMETRIC_RESULT = (
    f"SELECT l.id, l.turn, l.puzzle, {_RESULT} {_JOINED} WHERE l.shape = ? AND l.id != ? AND r.choice = ? "
    "AND r.turned_from IS NULL AND r.verdict IN ('solvable', 'unsolvable') LIMIT 1"
)
LATEST_CHOICE = "SELECT choice FROM results WHERE level = ? ORDER BY run DESC LIMIT 1"
METRICS = "SELECT DISTINCT c.key FROM results, json_each(costs) c ORDER BY 1"
ANSWERS_BY_CONTENT = (
    "SELECT hex(l.content), c.told, l.first, r.verdict, r.cost, r.metric, r.optimal, r.bound, r.seconds "
    f"{_JOINED} JOIN choices c ON c.id = r.choice ORDER BY l.content, c.told"
)
# The names of a run with their answers, by file and by the number of the level in it.
_FILE = "rtrim(n.id, '0123456789')"
DATASET = (
    "SELECT n.id, lower(hex(l.content)), l.puzzle, r.verdict, r.metric, r.cost, r.optimal, r.bound, r.reason, "
    "r.engine, r.states, json_extract(r.trace, '$'), r.costs, r.seconds "
    "FROM names n JOIN levels l ON l.id = n.level JOIN results r ON r.level = l.id "
    "JOIN json_each(?2) c ON c.key = l.puzzle AND c.value = r.choice WHERE n.run = ?1 "
    f"ORDER BY {_FILE}, CAST(substr(n.id, length({_FILE}) + 1) AS INTEGER)"
)
SET_CERTIFICATE = "UPDATE results SET certificate = ? WHERE level = ? AND choice = ?"
ADD_CERTIFICATE = "INSERT OR REPLACE INTO certificates VALUES (?, ?, ?)"
CERTIFICATE = "SELECT data FROM certificates WHERE level = ? AND choice = ?"
