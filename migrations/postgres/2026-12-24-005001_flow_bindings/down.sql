ALTER TABLE flow_versions DROP COLUMN bindings;

ALTER TABLE flows DROP COLUMN bindings;
