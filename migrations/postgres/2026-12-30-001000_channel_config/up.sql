-- Locks: ACCESS EXCLUSIVE of channels
-- Writers: wait_shortly
--
-- Members of the configuration of a channel other than `url`, as JSON. Null: there are none. `url` keeps its column,
-- which earlier releases read and write.
ALTER TABLE channels ADD COLUMN config text;
