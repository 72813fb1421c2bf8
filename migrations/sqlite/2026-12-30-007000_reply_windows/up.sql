-- Until when the provider accepts messages other than templates. Null: always, or the contact has not written yet.
ALTER TABLE conversations ADD COLUMN window_expires_at integer;
