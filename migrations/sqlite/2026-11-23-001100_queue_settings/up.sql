-- Only PostgreSQL has settings of tables.
SELECT 1;
