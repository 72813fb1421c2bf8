-- Otherwise facts that are not counted yet would be counted as something else.
DELETE FROM analytics_facts WHERE metric = 'reply_times';

DROP TABLE reply_times;

ALTER TABLE conversations DROP COLUMN replied_at;
ALTER TABLE conversations DROP COLUMN awaited_since;
ALTER TABLE conversations DROP COLUMN opened_at;
