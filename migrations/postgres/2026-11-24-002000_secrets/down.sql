DELETE FROM object_references WHERE target_kind = 'secret';
DROP TABLE secrets;
