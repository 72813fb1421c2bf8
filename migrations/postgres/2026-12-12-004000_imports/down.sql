DROP TABLE import_rejects;
DROP TABLE import_tables;
DROP TABLE imports;
