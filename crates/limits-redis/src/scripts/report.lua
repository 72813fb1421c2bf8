-- Adds what an instance admitted by itself a while ago.
-- KEYS: ring
-- ARGV: count, age in milliseconds
local time = redis.call('TIME')
local at = time[1] * 1000 + math.floor(time[2] / 1000) - tonumber(ARGV[2])
redis.call('HINCRBY', KEYS[1], string.format('%.0f', math.floor(at / 1000)), ARGV[1])
redis.call('EXPIRE', KEYS[1], 62)
return 1
