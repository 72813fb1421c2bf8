-- Users, their sessions and memberships, and the usage log of the API. Users, sessions, refresh tokens, signing keys
-- and login attempts belong to no workspace.

ALTER TABLE workspaces ADD COLUMN live_workspace_id blob REFERENCES workspaces (id);
CREATE UNIQUE INDEX workspaces_live_workspace_key ON workspaces (live_workspace_id);

ALTER TABLE api_keys ADD COLUMN last_used_at integer;
ALTER TABLE api_keys ADD COLUMN last_used_address text;

CREATE TABLE users (
    id blob PRIMARY KEY,
    email text NOT NULL,
    name text NOT NULL,
    password_hash text NOT NULL,
    operator integer NOT NULL,
    created_at integer NOT NULL,
    updated_at integer NOT NULL,
    version integer NOT NULL
) STRICT;
CREATE UNIQUE INDEX users_email_key ON users (email);

CREATE TABLE members (
    workspace_id blob NOT NULL REFERENCES workspaces (id),
    user_id blob NOT NULL REFERENCES users (id),
    role text NOT NULL,
    created_at integer NOT NULL,
    updated_at integer NOT NULL,
    version integer NOT NULL,
    PRIMARY KEY (workspace_id, user_id)
) STRICT;
CREATE INDEX members_user_idx ON members (user_id);

-- Open invitations. The token of an invitation is stored as SHA-256. Accepted invitations are deleted.
CREATE TABLE invitations (
    workspace_id blob NOT NULL REFERENCES workspaces (id),
    id blob NOT NULL,
    email text NOT NULL,
    role text NOT NULL,
    digest blob NOT NULL,
    created_at integer NOT NULL,
    expires_at integer NOT NULL,
    PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE UNIQUE INDEX invitations_digest_key ON invitations (digest);
CREATE UNIQUE INDEX invitations_email_key ON invitations (workspace_id, email);

-- A session is a family of refresh tokens. It ends at expires_at or earlier.
CREATE TABLE sessions (
    id blob PRIMARY KEY,
    user_id blob NOT NULL REFERENCES users (id),
    created_at integer NOT NULL,
    expires_at integer NOT NULL,
    revoked_at integer
) STRICT;
CREATE INDEX sessions_user_idx ON sessions (user_id);
CREATE INDEX sessions_expires_idx ON sessions (expires_at);

CREATE TABLE refresh_tokens (
    digest blob PRIMARY KEY,
    session_id blob NOT NULL REFERENCES sessions (id),
    issued_at integer NOT NULL,
    expires_at integer NOT NULL,
    rotated_at integer
) STRICT;
CREATE INDEX refresh_tokens_session_idx ON refresh_tokens (session_id);

-- Private keys of access tokens, encrypted with the master key.
CREATE TABLE signing_keys (
    id blob PRIMARY KEY,
    sealed blob NOT NULL,
    created_at integer NOT NULL
) STRICT;

-- Failed sign-ins by email address, for addresses with and without an account.
CREATE TABLE login_attempts (
    account text PRIMARY KEY,
    count integer NOT NULL,
    next_at integer NOT NULL,
    updated_at integer NOT NULL
) STRICT;
CREATE INDEX login_attempts_updated_idx ON login_attempts (updated_at);

CREATE TABLE api_usage (
    workspace_id blob NOT NULL,
    id blob NOT NULL,
    at integer NOT NULL,
    key_id blob,
    user_id blob,
    method text NOT NULL,
    route text NOT NULL,
    status integer NOT NULL,
    duration_ms integer NOT NULL,
    request_id text NOT NULL,
    address text NOT NULL,
    PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE INDEX api_usage_at_idx ON api_usage (workspace_id, at, id);
CREATE INDEX api_usage_expiry_idx ON api_usage (at);

-- Sums of requests by hour, written together with the requests, so summaries do not scan api_usage.
CREATE TABLE api_usage_hours (
    workspace_id blob NOT NULL,
    hour integer NOT NULL,
    method text NOT NULL,
    route text NOT NULL,
    requests integer NOT NULL,
    client_errors integer NOT NULL,
    server_errors integer NOT NULL,
    duration_ms integer NOT NULL,
    PRIMARY KEY (workspace_id, hour, method, route)
) STRICT;
CREATE INDEX api_usage_hours_expiry_idx ON api_usage_hours (hour);
