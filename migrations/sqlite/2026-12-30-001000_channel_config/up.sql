-- Members of a channel's configuration other than `url`, as JSON; null if there are none. `url` keeps its column, which
-- earlier releases read and write.
ALTER TABLE channels ADD COLUMN config text;
