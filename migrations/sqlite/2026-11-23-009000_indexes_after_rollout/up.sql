-- One process has a SQLite file: nobody lists by the indexes of the release before.
SELECT 1;
