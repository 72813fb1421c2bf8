-- An instance gives up its part of a client's limit until an instant.
-- KEYS: releases
-- ARGV: instance, until
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('EXPIRE', KEYS[1], 30)
return 1
