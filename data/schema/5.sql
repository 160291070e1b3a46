-- Version 5: runs are numbered 1, 2, 3 … Runs kept before this have no number here. They are known by their answer's, which memos quote.
ALTER TABLE lab_run ADD COLUMN number INTEGER;
CREATE UNIQUE INDEX run_of_number ON lab_run (coalesce(number, answer));
