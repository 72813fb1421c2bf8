-- Texts that conditions compare. The program folds them, so both databases agree byte by byte. folding is the version
-- of the folding. Older rows are folded again after the migrations.
ALTER TABLE contacts ADD COLUMN external_id_folded text;
ALTER TABLE contacts ADD COLUMN first_name_folded text;
ALTER TABLE contacts ADD COLUMN last_name_folded text;
ALTER TABLE contacts ADD COLUMN name_folded text;
ALTER TABLE contacts ADD COLUMN email_folded text;
ALTER TABLE contacts ADD COLUMN locale_folded text;
ALTER TABLE contacts ADD COLUMN time_zone_folded text;
ALTER TABLE contacts ADD COLUMN folding integer NOT NULL DEFAULT 0;
CREATE INDEX contacts_folding_idx ON contacts (workspace_id, id) WHERE folding < 1;

-- The whole folded text if it is too long for match_key.
ALTER TABLE contact_values ADD COLUMN long_text text;
ALTER TABLE contact_values ADD COLUMN folding integer NOT NULL DEFAULT 0;
CREATE INDEX contact_values_folding_idx ON contact_values (workspace_id, contact_id, field_id) WHERE folding < 1;
