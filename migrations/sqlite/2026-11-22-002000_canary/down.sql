DROP INDEX idempotency_keys_sealed_idx;
DROP TABLE sealed_canary;
