-- Locks: ACCESS EXCLUSIVE of contact_values, contacts
-- Locks: SHARE of contact_values, contacts
-- Writers: wait
-- Rewrites: contact_values
--
-- What conditions compare: texts folded by the product, so that both databases agree byte by byte.
-- folding is the version of the folding; rows behind it are brought up to date after the migrations.
ALTER TABLE contacts ADD COLUMN external_id_folded text;
ALTER TABLE contacts ADD COLUMN first_name_folded text;
ALTER TABLE contacts ADD COLUMN last_name_folded text;
ALTER TABLE contacts ADD COLUMN name_folded text;
ALTER TABLE contacts ADD COLUMN email_folded text;
ALTER TABLE contacts ADD COLUMN locale_folded text;
ALTER TABLE contacts ADD COLUMN time_zone_folded text;
ALTER TABLE contacts ADD COLUMN folding integer NOT NULL DEFAULT 0;
CREATE INDEX contacts_folding_idx ON contacts (workspace_id, id) WHERE folding < 1;

-- The whole of a folded text that is too long for match_key.
ALTER TABLE contact_values ADD COLUMN long_text text;
ALTER TABLE contact_values ADD COLUMN folding integer NOT NULL DEFAULT 0;
CREATE INDEX contact_values_folding_idx ON contact_values (workspace_id, contact_id, field_id) WHERE folding < 1;

-- Its order is that of the bytes, as on SQLite.
ALTER TABLE contact_values ALTER COLUMN match_key TYPE text COLLATE "C";
