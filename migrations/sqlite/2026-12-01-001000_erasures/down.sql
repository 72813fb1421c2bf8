DROP TABLE contact_erasures;
