-- How and when an address was opted out. Null: it is opted in, or the opt-out is older than this migration, or it
-- follows a remembered one.
ALTER TABLE contact_identities ADD COLUMN opt_out_source text;
ALTER TABLE contact_identities ADD COLUMN opt_out_at integer;
