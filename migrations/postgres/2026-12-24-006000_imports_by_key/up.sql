-- Locks: ACCESS EXCLUSIVE of imports
-- Writers: wait_shortly
--
-- The identifier that rows name their contacts by: external_id, email or phone. Null: by the rank of the identifiers.
ALTER TABLE imports ADD COLUMN match_by text;
