-- Only one process uses a SQLite file, so no process of the earlier release needs its indexes.
SELECT 1;
