-- Channels and contacts.

CREATE TABLE channels (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    id uuid NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    is_default boolean NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL,
    status text NOT NULL DEFAULT 'connected',
    url text,
    secret bytea,
    secret_hint text,
    inbound_token bytea,
    inbound_digest bytea,
    last_error text,
    connected_at timestamptz,
    deleted_at timestamptz,
    PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX channels_default_key ON channels (workspace_id) WHERE is_default;
CREATE UNIQUE INDEX channels_inbound_key ON channels (inbound_digest);
CREATE INDEX channels_created_list ON channels (workspace_id, created_at, id) WHERE updated_at IS NOT NULL;

-- Columns with the suffix _folded contain texts as conditions compare them. The product folds them, so both databases agree byte by
-- byte.
CREATE TABLE contacts (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    external_id text,
    first_name text,
    last_name text,
    email text,
    phone text,
    locale text,
    time_zone text,
    status text NOT NULL,
    subscribed boolean NOT NULL,
    last_message_at timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    deleted_at timestamptz,
    version bigint NOT NULL,
    name_key text COLLATE "C",
    search_text text COLLATE "C" NOT NULL DEFAULT '',
    external_id_folded text,
    first_name_folded text,
    last_name_folded text,
    name_folded text,
    email_folded text,
    locale_folded text,
    time_zone_folded text,
    -- The version of the folding. Older rows are folded again after the migrations.
    folding integer NOT NULL DEFAULT 0,
    -- The address of a picture.
    avatar_url text,
    -- The email address as it was written, if it differs from `email`, which is normalised.
    email_written text,
    -- The contact that has the same email address since before addresses were normalised.
    same_email_as uuid,
    -- The sort key of the name, and the version of the row that it was made for.
    sort_key bytea,
    sorted_version bigint,
    -- Whether the contact was created without a subscription and has refused nothing since.
    never_subscribed boolean NOT NULL DEFAULT false,
    PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX contacts_email_key ON contacts (workspace_id, email)
    WHERE email IS NOT NULL AND deleted_at IS NULL;
CREATE UNIQUE INDEX contacts_external_id_key ON contacts (workspace_id, external_id)
    WHERE external_id IS NOT NULL AND deleted_at IS NULL;
CREATE UNIQUE INDEX contacts_phone_key ON contacts (workspace_id, phone)
    WHERE phone IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX contacts_created_list ON contacts (workspace_id, created_at, id)
    WHERE updated_at IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX contacts_folding_idx ON contacts (workspace_id, id) WHERE folding < 1;
CREATE INDEX contacts_last_message_list ON contacts (workspace_id, last_message_at, id)
    WHERE updated_at IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX contacts_name_list ON contacts (workspace_id, name_key, id)
    WHERE updated_at IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX contacts_sorted_list ON contacts (workspace_id, sort_key, id)
    WHERE updated_at IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX contacts_unsorted_idx ON contacts (workspace_id, sorted_version, id)
    WHERE sorted_version IS DISTINCT FROM version;
CREATE INDEX contacts_updated_list ON contacts (workspace_id, updated_at, id)
    WHERE updated_at IS NOT NULL AND deleted_at IS NULL;

-- Addresses of contacts on channels.
CREATE TABLE contact_identities (
    workspace_id uuid NOT NULL,
    contact_id uuid NOT NULL,
    channel_id uuid NOT NULL,
    address text NOT NULL,
    opted_in boolean NOT NULL,
    live boolean NOT NULL,
    PRIMARY KEY (workspace_id, contact_id, channel_id, address),
    FOREIGN KEY (workspace_id, channel_id) REFERENCES channels (workspace_id, id),
    FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts (workspace_id, id)
);
CREATE UNIQUE INDEX contact_identities_address_key ON contact_identities (workspace_id, channel_id, address)
    WHERE live AND address IS NOT NULL;

CREATE TABLE tags (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    id uuid NOT NULL,
    name text NOT NULL,
    name_key text COLLATE "C" NOT NULL,
    color text,
    description text,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL,
    -- The sort key of the name, and the version of the row that it was made for.
    sort_key bytea,
    sorted_version bigint,
    PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX tags_name_key ON tags (workspace_id, name_key) WHERE name_key IS NOT NULL;
CREATE INDEX tags_created_list ON tags (workspace_id, created_at, id) WHERE updated_at IS NOT NULL;
CREATE INDEX tags_sorted_list ON tags (workspace_id, sort_key, id) WHERE updated_at IS NOT NULL;
CREATE INDEX tags_unsorted_idx ON tags (workspace_id, sorted_version, id)
    WHERE sorted_version IS DISTINCT FROM version;

-- Without a reference to tags: a job removes the links of a deleted tag.
CREATE TABLE contact_tags (
    workspace_id uuid NOT NULL,
    contact_id uuid NOT NULL,
    tag_id uuid NOT NULL,
    applied_at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, contact_id, tag_id),
    FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts (workspace_id, id)
);
CREATE INDEX contact_tags_of_tag_idx ON contact_tags (tag_id, contact_id) WHERE tag_id IS NOT NULL;

CREATE TABLE custom_fields (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    id uuid NOT NULL,
    key text COLLATE "C" NOT NULL,
    name text NOT NULL,
    kind text NOT NULL,
    options text NOT NULL,
    rules text NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL,
    -- Removed options that contacts may still have, as JSON. A job removes them.
    retired text,
    PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX custom_fields_key_key ON custom_fields (workspace_id, key) WHERE key IS NOT NULL;

-- Values of custom fields.
CREATE TABLE contact_values (
    workspace_id uuid NOT NULL,
    contact_id uuid NOT NULL,
    field_id uuid NOT NULL,
    value text NOT NULL,
    -- The text that filters compare.
    match_key text COLLATE "C",
    -- The keys of a list, between separators.
    elements text,
    -- The whole folded text if it is too long for match_key.
    long_text text,
    folding integer NOT NULL DEFAULT 0,
    PRIMARY KEY (workspace_id, contact_id, field_id),
    FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts (workspace_id, id)
);
CREATE INDEX contact_values_folding_idx ON contact_values (workspace_id, contact_id, field_id) WHERE folding < 1;
CREATE INDEX contact_values_of_field_idx ON contact_values (field_id, match_key, contact_id)
    WHERE field_id IS NOT NULL;

CREATE TABLE bot_fields (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    id uuid NOT NULL,
    key text COLLATE "C" NOT NULL,
    name text NOT NULL,
    kind text NOT NULL,
    value text,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL,
    PRIMARY KEY (workspace_id, id)
);
CREATE UNIQUE INDEX bot_fields_key_key ON bot_fields (workspace_id, key) WHERE key IS NOT NULL;

-- Named conditions that choose contacts. The count is not part of the version of the segment.
CREATE TABLE segments (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    id uuid NOT NULL,
    name text NOT NULL,
    condition text NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    version bigint NOT NULL,
    contact_count bigint,
    contact_count_is_capped boolean,
    counted_at timestamptz,
    refresh_reserved_at timestamptz,
    -- The objects that the words of the condition name, by JSON pointer. Null: written by a release without bindings.
    bindings text,
    PRIMARY KEY (workspace_id, id)
);
CREATE INDEX segments_created_list ON segments (workspace_id, created_at, id) WHERE updated_at IS NOT NULL;

-- Events that clients report about contacts. They trigger flows. The feed and webhooks do not contain them.
CREATE TABLE custom_events (
    workspace_id uuid NOT NULL,
    id uuid NOT NULL,
    contact_id uuid NOT NULL,
    name text COLLATE "C" NOT NULL,
    data text NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts (workspace_id, id)
);
CREATE INDEX custom_events_at_idx ON custom_events (at);
CREATE INDEX custom_events_of_contact_idx ON custom_events (contact_id, at, id);

-- Merged contacts. into_id was not merged itself. moved_at is set when all data of the contact has moved.
CREATE TABLE contact_merges (
    workspace_id uuid NOT NULL,
    contact_id uuid NOT NULL,
    into_id uuid NOT NULL,
    merged_at timestamptz NOT NULL,
    moved_at timestamptz,
    PRIMARY KEY (workspace_id, contact_id),
    FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts (workspace_id, id),
    FOREIGN KEY (workspace_id, into_id) REFERENCES contacts (workspace_id, id)
);
CREATE INDEX contact_merges_into_idx ON contact_merges (into_id, contact_id);

-- Erased contacts: the time of the request, and the time when the last data was erased.
CREATE TABLE contact_erasures (
    workspace_id uuid NOT NULL,
    contact_id uuid NOT NULL,
    requested_at timestamptz NOT NULL,
    erased_at timestamptz,
    PRIMARY KEY (workspace_id, contact_id),
    FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts (workspace_id, id)
);

-- The encrypted key of the digests in opt_outs. The revision rises with each new digest.
CREATE TABLE opt_out_keys (
    workspace_id uuid PRIMARY KEY REFERENCES workspaces (id),
    sealed bytea NOT NULL,
    revision bigint NOT NULL,
    created_at timestamptz NOT NULL
);

-- Opt-outs of contacts that no longer exist, as keyed digests of their identifiers.
CREATE TABLE opt_outs (
    workspace_id uuid NOT NULL REFERENCES opt_out_keys (workspace_id),
    digest bytea NOT NULL,
    channel_id uuid,
    at timestamptz NOT NULL,
    PRIMARY KEY (workspace_id, digest),
    FOREIGN KEY (workspace_id, channel_id) REFERENCES channels (workspace_id, id)
);
CREATE INDEX opt_outs_channel_idx ON opt_outs (channel_id, workspace_id) WHERE channel_id IS NOT NULL;

-- Objects that other objects name. Without foreign keys, because both sides have several types. If a named object is deleted by
-- force, its row stays with lost_name and lost_at until the owner is changed.
CREATE TABLE object_references (
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    owner_kind text NOT NULL,
    owner_id uuid NOT NULL,
    target_kind text NOT NULL,
    target_id uuid NOT NULL,
    lost_name text,
    lost_at timestamptz,
    PRIMARY KEY (workspace_id, owner_kind, owner_id, target_kind, target_id)
);
CREATE INDEX object_references_of_target_idx ON object_references (target_id, target_kind)
    WHERE target_id IS NOT NULL;
