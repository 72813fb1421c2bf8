-- Locks: none
-- Writers: go_on
--
-- Files of messages, without their bytes. A file that no message uses has no contact. A file that messages with several
-- contacts use is shared.
CREATE TABLE media (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    mime_type text NOT NULL,
    size bigint NOT NULL,
    digest text NOT NULL,
    contact_id uuid,
    is_shared boolean NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL,
    PRIMARY KEY (workspace_id, id)
);
CREATE INDEX media_of_contact_idx ON media (contact_id, created_at, id) WHERE contact_id IS NOT NULL;
CREATE INDEX media_unused_idx ON media (created_at) WHERE contact_id IS NULL AND NOT is_shared;
