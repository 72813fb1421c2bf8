-- Gives each event its own job again.
INSERT INTO jobs (workspace_id, id, pool, kind, subject, mark, due_at, claimed, token, claims, attempts, error, dead_at)
    WITH RECURSIVE places (n) AS (VALUES (0) UNION ALL SELECT n + 1 FROM places WHERE n < 6)
    SELECT workspace_id, randomblob(16), pool, 'relay', substr(further, n * 16 + 1, 16), mark, due_at, 0, 0, 0, attempts, error,
        dead_at
    FROM jobs, places WHERE kind = 'relay_set' AND n * 16 < length(further);
UPDATE jobs SET kind = 'relay' WHERE kind = 'relay_set';
ALTER TABLE jobs DROP COLUMN further;
