-- Version 3: runs of labs. A run is an answer that the lab gives (its line is "run/" and the variant, its problem what was weighed); here
-- stands how it came about.
CREATE TABLE lab_run (
    answer  INTEGER PRIMARY KEY REFERENCES answer (id),
    lab     TEXT NOT NULL CHECK (lab <> ''),
    variant TEXT NOT NULL,
    command TEXT NOT NULL,
    exit    TEXT NOT NULL CHECK (exit IN ('ended', 'failed', 'cancelled')),
    events  TEXT NOT NULL
) STRICT;
