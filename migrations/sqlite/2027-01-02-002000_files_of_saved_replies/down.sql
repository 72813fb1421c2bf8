DELETE FROM object_references WHERE owner_kind = 'saved_reply' OR target_kind = 'media';
ALTER TABLE saved_replies DROP COLUMN attachments;
