-- The state of a channel at its provider, as JSON, with its own version. Null: nothing is known.
ALTER TABLE channels ADD COLUMN health text;
ALTER TABLE channels ADD COLUMN health_version integer NOT NULL DEFAULT 0;
