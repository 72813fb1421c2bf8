-- Users, their sessions and their memberships. Users, sessions and signing keys belong to no workspace.

-- reset_digest is the SHA-256 of the token of a password reset link.
CREATE TABLE users (
    id blob NOT NULL PRIMARY KEY,
    email text NOT NULL,
    name text NOT NULL,
    password_hash text NOT NULL,
    operator integer NOT NULL,
    created_at integer NOT NULL,
    updated_at integer NOT NULL,
    version integer NOT NULL,
    reset_digest blob,
    reset_expires_at integer,
    -- The language of the panel: `en` or `de`. Null: the language of the browser.
    language text
) STRICT;
CREATE UNIQUE INDEX users_email_key ON users (email);
CREATE INDEX users_reset_digest ON users (reset_digest) WHERE reset_digest IS NOT NULL;

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

-- Open invitations. The token of an invitation is stored as SHA-256.
CREATE TABLE invitations (
    workspace_id blob NOT NULL REFERENCES workspaces (id),
    id blob NOT NULL,
    email text NOT NULL,
    role text NOT NULL,
    digest blob NOT NULL,
    created_at integer NOT NULL,
    expires_at integer NOT NULL,
    -- The member who sent the invitation.
    invited_by blob,
    PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE UNIQUE INDEX invitations_digest_key ON invitations (digest);
CREATE UNIQUE INDEX invitations_email_key ON invitations (workspace_id, email);

-- Invitations that could not be accepted, because their address already has an account.
CREATE TABLE refused_invitations (
    workspace_id blob NOT NULL REFERENCES workspaces (id),
    invitation_id blob NOT NULL,
    at integer NOT NULL,
    PRIMARY KEY (workspace_id, invitation_id)
) STRICT;

-- A session is a family of refresh tokens. It ends at expires_at or earlier.
CREATE TABLE sessions (
    id blob NOT NULL PRIMARY KEY,
    user_id blob NOT NULL REFERENCES users (id),
    created_at integer NOT NULL,
    expires_at integer NOT NULL,
    revoked_at integer,
    -- The network of the sign-in. Failed sign-ins from other networks do not block this network.
    network text,
    -- The browser or program that began the session.
    user_agent text
) STRICT;
CREATE INDEX sessions_expires_idx ON sessions (expires_at);
CREATE INDEX sessions_user_idx ON sessions (user_id);

CREATE TABLE refresh_tokens (
    digest blob NOT NULL PRIMARY KEY,
    session_id blob NOT NULL REFERENCES sessions (id),
    issued_at integer NOT NULL,
    expires_at integer NOT NULL,
    rotated_at integer
) STRICT;
CREATE INDEX refresh_tokens_session_idx ON refresh_tokens (session_id);

-- Private keys of access tokens, encrypted with the master key.
CREATE TABLE signing_keys (
    id blob NOT NULL PRIMARY KEY,
    sealed blob NOT NULL,
    created_at integer NOT NULL
) STRICT;

-- Failed sign-ins by email address, for addresses with and without an account.
CREATE TABLE login_attempts (
    account text NOT NULL PRIMARY KEY,
    count integer NOT NULL,
    next_at integer NOT NULL,
    updated_at integer NOT NULL
) STRICT;
CREATE INDEX login_attempts_updated_idx ON login_attempts (updated_at);
