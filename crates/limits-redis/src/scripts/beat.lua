-- Says that an instance is there, and hears what it must know.
-- KEYS: epoch, joined, recalls, seen (instances by time)
-- ARGV: epoch, instance, number of instances, whether it has told what it admitted (1)
-- Returns: 0 in another epoch; else milliseconds, instances that are there, whether the counts are whole, clients
local epoch = redis.call('GET', KEYS[1])
if epoch ~= ARGV[1] then return {0, 0, 0} end
local time = redis.call('TIME')
local ms = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZADD', KEYS[4], ms, ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[4], '-inf', ms - 5000)
if ARGV[4] == '1' then
  redis.call('SADD', KEYS[2], ARGV[2])
  redis.call('EXPIRE', KEYS[2], 120)
end
local age = ms - tonumber(string.match(epoch, ':(%d+)$'))
local present = redis.call('ZCARD', KEYS[4])
local whole = 0
if age >= 62000 or redis.call('SCARD', KEYS[2]) >= math.max(tonumber(ARGV[3]), present) then whole = 1 end
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', ms)
local answer = {ms, present, whole}
for _, client in ipairs(redis.call('ZRANGE', KEYS[3], 0, -1)) do answer[#answer + 1] = client end
return answer
