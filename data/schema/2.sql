-- Version 2: a try is answered once, whatever two programs that opened it together do. Who loses reads what is there.
-- A trigger and no unique index: a record may hold pairs from before. "unreadable" never was an answer, and a row without a
-- line ends the whole try.
CREATE TRIGGER answer_once BEFORE INSERT ON answer
    WHEN EXISTS (SELECT 1 FROM answer
                 WHERE item = NEW.item AND try = NEW.try AND (line = NEW.line OR line = '')
                   AND verdict <> 'unreadable')
    BEGIN SELECT RAISE(ABORT, 'this try was answered before'); END;
