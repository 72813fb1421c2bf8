-- Counts one request of a client, if that is within the limit.
-- KEYS: ring (second -> count), releases (instance -> until), recalls (client by until), epoch
-- ARGV: epoch, instance, limit, part of one instance, number of other instances, client
-- Returns: verdict, remaining, milliseconds until the oldest counted second leaves
--   verdicts: 1 admitted, 0 refused, 2 refused until the others gave up their parts, -1 another epoch
if redis.call('GET', KEYS[4]) ~= ARGV[1] then return {-1, 0, 0} end
local time = redis.call('TIME')
local ms = time[1] * 1000 + math.floor(time[2] / 1000)
local second = tonumber(time[1])
local limit, part, others = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])

local counts = redis.call('HGETALL', KEYS[1])
-- A clock that went back is held at the latest second seen.
for i = 1, #counts, 2 do second = math.max(second, tonumber(counts[i])) end
local total, oldest = 0, second
for i = 1, #counts, 2 do
  local at = tonumber(counts[i])
  if at < second - 60 then
    redis.call('HDEL', KEYS[1], counts[i])
  else
    total = total + tonumber(counts[i + 1])
    oldest = math.min(oldest, at)
  end
end
local wait = (oldest + 61) * 1000 - ms
if total >= limit then return {0, 0, wait} end

if total + 1 > limit - part * others then
  -- From here on the others must not count on their parts.
  redis.call('ZADD', KEYS[3], ms + 62000, ARGV[6])
  local releases = redis.call('HGETALL', KEYS[2])
  for i = 1, #releases, 2 do
    if releases[i] ~= ARGV[2] and tonumber(releases[i + 1]) > ms then others = others - 1 end
  end
  if total >= limit - part * math.max(others, 0) then return {2, limit - total, wait} end
end
redis.call('HINCRBY', KEYS[1], second, 1)
redis.call('EXPIRE', KEYS[1], 62)
return {1, limit - total - 1, wait}
