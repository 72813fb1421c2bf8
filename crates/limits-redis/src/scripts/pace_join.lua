-- Registers a process that shares the buckets.
-- KEYS: seen (processes by time)
-- ARGV: process
-- Returns: number of processes in the last minute
local seconds = tonumber(redis.call('TIME')[1])
redis.call('ZADD', KEYS[1], seconds, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', seconds - 60)
redis.call('EXPIRE', KEYS[1], 120)
return redis.call('ZCARD', KEYS[1])
