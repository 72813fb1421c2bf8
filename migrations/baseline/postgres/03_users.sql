-- Users, their sessions and their memberships. Users, sessions and signing keys belong to no workspace.

-- reset_digest is the SHA-256 of the token of a password reset link.
CREATE TABLE users (
    id uuid PRIMARY KEY,
    email text NOT NULL,
    name text NOT NULL,
    password_hash text NOT NULL,
    operator boolean NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL,
    reset_digest bytea,
    reset_expires_at timestamptz,
    -- The language of the panel: `en` or `de`. Null: the language of the browser.
    language text
);
CREATE UNIQUE INDEX users_email_key ON users (email);
CREATE INDEX users_reset_digest ON users (reset_digest) WHERE reset_digest IS NOT NULL;

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

-- Open invitations. The token of an invitation is stored as SHA-256.
CREATE TABLE invitations (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    id uuid NOT NULL,
    email text NOT NULL,
    role text NOT NULL,
    digest bytea NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    -- The member who sent the invitation.
    invited_by uuid,
    PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX invitations_digest_key ON invitations (digest);
CREATE UNIQUE INDEX invitations_email_key ON invitations (workspace_id, email);

-- Invitations that could not be accepted, because their address already has an account.
CREATE TABLE refused_invitations (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    invitation_id uuid NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, invitation_id)
);

-- A session is a family of refresh tokens. It ends at expires_at or earlier.
CREATE TABLE sessions (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users (id),
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    revoked_at timestamptz,
    -- The network of the sign-in. Failed sign-ins from other networks do not block this network.
    network text,
    -- The browser or program that began the session.
    user_agent text
);
CREATE INDEX sessions_expires_idx ON sessions (expires_at);
CREATE INDEX sessions_user_idx ON sessions (user_id);

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
