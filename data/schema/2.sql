-- Version 2: a try is answered once, whatever two programs that opened it together do. Who comes second reads what is there.
-- A trigger and no unique index: a record may hold pairs from before. "unreadable" never was an answer.
CREATE TRIGGER answer_once BEFORE INSERT ON answer
    WHEN NEW.verdict <> 'unreadable'
     AND EXISTS (SELECT 1 FROM answer
                 WHERE item = NEW.item AND line = NEW.line AND try = NEW.try AND verdict <> 'unreadable')
    BEGIN SELECT RAISE(ABORT, 'this try was answered before'); END;
