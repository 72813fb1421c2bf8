DROP TABLE unparsed_requests;
