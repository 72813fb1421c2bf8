DROP TABLE contact_merges;
