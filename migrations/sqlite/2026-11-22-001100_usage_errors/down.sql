DROP TABLE api_usage_sums;
ALTER TABLE api_usage DROP COLUMN errors;
ALTER TABLE api_usage DROP COLUMN error_code;
