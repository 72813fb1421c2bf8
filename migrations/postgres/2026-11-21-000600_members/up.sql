-- Locks: ACCESS EXCLUSIVE of api_keys, workspaces
-- Locks: SHARE ROW EXCLUSIVE of workspaces
-- Locks: SHARE of workspaces
-- Writers: wait
--
-- Users, their sessions and memberships, and the usage log of the API. Users, sessions, refresh tokens, signing keys
-- and login attempts belong to no workspace.

ALTER TABLE workspaces ADD COLUMN live_workspace_id uuid REFERENCES workspaces (id);
CREATE UNIQUE INDEX workspaces_live_workspace_key ON workspaces (live_workspace_id);

ALTER TABLE api_keys ADD COLUMN last_used_at timestamptz;
ALTER TABLE api_keys ADD COLUMN last_used_address text;

CREATE TABLE users (
    id uuid PRIMARY KEY,
    email text NOT NULL,
    name text NOT NULL,
    password_hash text NOT NULL,
    operator boolean NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL
);
CREATE UNIQUE INDEX users_email_key ON users (email);

CREATE TABLE members (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    user_id uuid NOT NULL REFERENCES users (id),
    role text NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL,
    PRIMARY KEY (workspace_id, user_id)
);
CREATE INDEX members_user_idx ON members (user_id);

-- Open invitations. The token of an invitation is stored as SHA-256. Accepted invitations are deleted.
CREATE TABLE invitations (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    id uuid NOT NULL,
    email text NOT NULL,
    role text NOT NULL,
    digest bytea NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX invitations_digest_key ON invitations (digest);
CREATE UNIQUE INDEX invitations_email_key ON invitations (workspace_id, email);

-- A session is a family of refresh tokens. It ends at expires_at or earlier.
CREATE TABLE sessions (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users (id),
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    revoked_at timestamptz
);
CREATE INDEX sessions_user_idx ON sessions (user_id);
CREATE INDEX sessions_expires_idx ON sessions (expires_at);

CREATE TABLE refresh_tokens (
    digest bytea PRIMARY KEY,
    session_id uuid NOT NULL REFERENCES sessions (id),
    issued_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    rotated_at timestamptz
);
CREATE INDEX refresh_tokens_session_idx ON refresh_tokens (session_id);

-- Private keys of access tokens, encrypted with the master key.
CREATE TABLE signing_keys (
    id uuid PRIMARY KEY,
    sealed bytea NOT NULL,
    created_at timestamptz NOT NULL
);

-- Failed sign-ins by email address, for addresses with and without an account.
CREATE TABLE login_attempts (
    account text PRIMARY KEY,
    count bigint NOT NULL,
    next_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
);
CREATE INDEX login_attempts_updated_idx ON login_attempts (updated_at);

CREATE TABLE api_usage (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    at timestamptz NOT NULL,
    key_id uuid,
    user_id uuid,
    method text NOT NULL,
    route text NOT NULL,
    status integer NOT NULL,
    duration_ms bigint NOT NULL,
    request_id text NOT NULL,
    address text NOT NULL,
    PRIMARY KEY (workspace_id, id)
);
CREATE INDEX api_usage_at_idx ON api_usage (workspace_id, at, id);
CREATE INDEX api_usage_expiry_idx ON api_usage (at);

-- Sums of requests by hour, written together with the requests, so summaries do not scan api_usage.
CREATE TABLE api_usage_hours (
    workspace_id uuid NOT NULL,
    hour timestamptz NOT NULL,
    method text NOT NULL,
    route text NOT NULL,
    requests bigint NOT NULL,
    client_errors bigint NOT NULL,
    server_errors bigint NOT NULL,
    duration_ms bigint NOT NULL,
    PRIMARY KEY (workspace_id, hour, method, route)
);
CREATE INDEX api_usage_hours_expiry_idx ON api_usage_hours (hour);
