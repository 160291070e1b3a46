-- Version 4: bookmarks and notes. The latest row of a step says what it has; an empty text takes the bookmark or the note away.
CREATE TABLE note (
    id     INTEGER PRIMARY KEY AUTOINCREMENT,
    time   INTEGER NOT NULL,
    kind   TEXT    NOT NULL CHECK (kind IN ('bookmark', 'note')),
    lesson TEXT    NOT NULL CHECK (lesson <> ''),
    step   TEXT    NOT NULL CHECK (step <> ''),
    title  TEXT    NOT NULL,
    text   TEXT    NOT NULL
) STRICT;
CREATE INDEX note_of_step ON note (kind, lesson, step, id);
CREATE TRIGGER note_stays BEFORE UPDATE ON note
    BEGIN SELECT RAISE(ABORT, 'notes are only added'); END;
CREATE TRIGGER note_remains BEFORE DELETE ON note
    BEGIN SELECT RAISE(ABORT, 'notes are only added'); END;
