-- Jobs, and stored responses of requests with an idempotency key.

-- While a job is claimed, due_at is the end of its lease: one index finds due jobs and jobs of dead workers. Only the first job of a
-- lane is unparked; `followed` marks a job that another one waits for. Dead letters have dead_at.
CREATE TABLE jobs (
    workspace_id blob NOT NULL,
    id blob NOT NULL,
    pool text NOT NULL,
    kind text NOT NULL,
    subject blob NOT NULL,
    mark integer NOT NULL,
    lane blob,
    group_id blob,
    due_at integer NOT NULL,
    claimed integer NOT NULL,
    token integer NOT NULL,
    claims integer NOT NULL,
    attempts integer NOT NULL,
    error text,
    dead_at integer,
    -- Waits for the job ahead of it in its lane, or for its group.
    parked integer NOT NULL DEFAULT 0,
    followed integer NOT NULL DEFAULT 0,
    -- The other events of a change set that a job `relay_set` relays, 16 bytes each.
    further blob,
    PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE UNIQUE INDEX jobs_claimed_lane_key ON jobs (lane) WHERE lane IS NOT NULL AND claimed;
CREATE INDEX jobs_calls_idx ON jobs (pool, workspace_id, due_at)
    WHERE pool = 'deliveries' AND group_id IS NULL AND dead_at IS NULL AND NOT parked;
CREATE INDEX jobs_dead_letters_idx ON jobs (workspace_id, dead_at, id) WHERE dead_at IS NOT NULL;
CREATE INDEX jobs_due_idx ON jobs (pool, due_at) WHERE pool <> 'deliveries' AND dead_at IS NULL AND NOT parked;
CREATE INDEX jobs_lane_idx ON jobs (lane, id) WHERE lane IS NOT NULL AND dead_at IS NULL;
CREATE INDEX jobs_next_delivery_idx ON jobs (due_at)
    WHERE pool = 'deliveries' AND dead_at IS NULL AND NOT claimed AND NOT parked;
CREATE INDEX jobs_parked_idx ON jobs (group_id) WHERE parked;
CREATE INDEX jobs_poison_idx ON jobs (pool, due_at) WHERE claims >= 5 AND dead_at IS NULL;
CREATE INDEX jobs_turns_idx ON jobs (kind, group_id, due_at)
    WHERE pool = 'deliveries' AND dead_at IS NULL AND NOT parked;
CREATE INDEX jobs_workspaces_idx ON jobs (pool, workspace_id, due_at)
    WHERE pool <> 'deliveries' AND dead_at IS NULL AND NOT parked;

-- `form` is the form of a stored response. Null: the body as it was sent, or encrypted if `sealed` is set. `gzip`: compressed.
-- `object`: names the object that is rendered again.
CREATE TABLE idempotency_keys (
    workspace_id blob NOT NULL,
    method text NOT NULL,
    route text NOT NULL,
    key text NOT NULL,
    fingerprint blob NOT NULL,
    status integer NOT NULL,
    location text,
    etag text,
    body blob NOT NULL,
    sealed integer NOT NULL,
    created_at integer NOT NULL,
    form text,
    PRIMARY KEY (workspace_id, method, route, key)
) STRICT;
CREATE INDEX idempotency_keys_created_idx ON idempotency_keys (created_at);
CREATE INDEX idempotency_keys_sealed_idx ON idempotency_keys (workspace_id, method, route, key) WHERE sealed;
