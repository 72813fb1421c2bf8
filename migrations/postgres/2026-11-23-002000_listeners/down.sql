DROP TRIGGER sequences_listen ON sequences;
DROP TRIGGER flow_triggers_listen ON flow_triggers;
DROP TRIGGER webhooks_listen ON webhooks;
DROP FUNCTION raise_listener_revision;
DROP TABLE listener_revisions;
