-- PostgreSQL alone has settings for its tables.
SELECT 1;
