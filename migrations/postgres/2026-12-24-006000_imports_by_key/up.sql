-- Locks: ACCESS EXCLUSIVE of imports
-- Writers: wait_shortly
--
-- The identifier by which alone rows name their contacts: external_id, email or phone. Null: by their rank.
ALTER TABLE imports ADD COLUMN match_by text;
