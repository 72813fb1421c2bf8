-- Adds what an instance admitted by itself, as of now.
-- KEYS: ring
-- ARGV: count
local time = redis.call('TIME')
redis.call('HINCRBY', KEYS[1], time[1], ARGV[1])
redis.call('EXPIRE', KEYS[1], 62)
return 1
