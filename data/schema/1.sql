-- Version 1: what one learner answered, where each lesson was left, and settings. Everything shown is derived from these.

-- The file says whose it is: "ZTut".
PRAGMA application_id = 0x5A547574;

-- One row: the learner's own seed, drawn once. Seeds are unsigned; here they are kept by their bits.
CREATE TABLE learner (
    one  INTEGER PRIMARY KEY CHECK (one = 1),
    seed INTEGER NOT NULL,
    made INTEGER NOT NULL
) STRICT;
INSERT INTO learner VALUES (1, random(), unixepoch());

-- What happened, in the order in which it happened. Rows are added, never changed.
CREATE TABLE answer (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    time            INTEGER NOT NULL,
    item            TEXT    NOT NULL CHECK (item <> ''),
    line            TEXT    NOT NULL,
    try             INTEGER NOT NULL,
    seed            INTEGER NOT NULL,
    problem         TEXT,
    lesson_revision INTEGER NOT NULL,
    engine_revision INTEGER NOT NULL,
    typed           TEXT    NOT NULL,
    value           REAL,
    verdict         TEXT    NOT NULL CHECK (verdict <> ''),
    mistake         TEXT    NOT NULL,
    hints           INTEGER NOT NULL,
    seconds         REAL    NOT NULL
) STRICT;
CREATE INDEX answer_of_item ON answer (item, id);
CREATE INDEX answer_graded ON answer (item, id, verdict, time)
    WHERE line = '' AND verdict NOT IN ('noted', 'unreadable');
CREATE TRIGGER answer_stays BEFORE UPDATE ON answer
    BEGIN SELECT RAISE(ABORT, 'answers are only added'); END;
CREATE TRIGGER answer_remains BEFORE DELETE ON answer
    BEGIN SELECT RAISE(ABORT, 'answers are only added'); END;

CREATE TABLE place (
    lesson   TEXT    PRIMARY KEY CHECK (lesson <> ''),
    step     TEXT    NOT NULL,
    finished INTEGER NOT NULL CHECK (finished IN (0, 1)),
    time     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE setting (
    name  TEXT PRIMARY KEY CHECK (name <> ''),
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
