-- Files of messages, without their bytes. A file that no message uses has no contact. A file that messages with several
-- contacts use is shared.
CREATE TABLE media (
    workspace_id blob NOT NULL,
    id blob NOT NULL,
    name text NOT NULL,
    mime_type text NOT NULL,
    size integer NOT NULL,
    digest text NOT NULL,
    contact_id blob,
    is_shared integer NOT NULL,
    created_at integer NOT NULL,
    updated_at integer NOT NULL,
    version integer NOT NULL,
    PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE INDEX media_of_contact_idx ON media (contact_id, created_at, id) WHERE contact_id IS NOT NULL;
CREATE INDEX media_unused_idx ON media (created_at) WHERE contact_id IS NULL AND NOT is_shared;
