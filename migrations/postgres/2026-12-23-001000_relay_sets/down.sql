-- Gives each event its own job again.
INSERT INTO jobs (workspace_id, id, pool, kind, subject, mark, due_at, claimed, token, claims, attempts, error, dead_at)
    SELECT workspace_id, gen_random_uuid(), pool, 'relay', encode(substring(further FROM n * 16 + 1 FOR 16), 'hex')::uuid, mark,
        due_at, false, 0, 0, attempts, error, dead_at
    FROM jobs, generate_series(0, length(further) / 16 - 1) n WHERE kind = 'relay_set';

UPDATE jobs SET kind = 'relay' WHERE kind = 'relay_set';

ALTER TABLE jobs DROP COLUMN further;
