DELETE FROM object_references WHERE owner_kind = 'segment' OR target_kind = 'segment';
DROP TABLE segments;
