DELETE FROM store_marks WHERE name = 'sort_keys';
DROP INDEX tags_unsorted_idx;
DROP INDEX tags_sorted_list;
DROP INDEX contacts_unsorted_idx;
DROP INDEX contacts_sorted_list;
ALTER TABLE tags DROP COLUMN sorted_version;
ALTER TABLE tags DROP COLUMN sort_key;
ALTER TABLE contacts DROP COLUMN sorted_version;
ALTER TABLE contacts DROP COLUMN sort_key;
