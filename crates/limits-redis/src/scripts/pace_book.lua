-- Counts one call in every bucket, if each is free soon enough; otherwise in none.
-- KEYS: buckets. Each has the time of its next call, if all calls were evenly spread, in microseconds.
-- ARGV: for each bucket: microseconds between two calls, calls at once, longest wait in microseconds
-- Returns: number of the bucket that refused the call (0 if none did), wait in microseconds
local slack = 10 * 1000000
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local nexts, longest = {}, 0
for i, key in ipairs(KEYS) do
  local every, burst, most = tonumber(ARGV[i * 3 - 2]), tonumber(ARGV[i * 3 - 1]), tonumber(ARGV[i * 3])
  nexts[i] = tonumber(redis.call('GET', key) or '0')
  -- No call waits longer than the slack, so a later time is from before the clock went back.
  if nexts[i] > now + every * burst + math.max(most, slack) then nexts[i] = now end
  local wait = math.max(0, nexts[i] - every * (burst - 1) - now)
  if wait > most then return {i, wait} end
  longest = math.max(longest, wait)
end
for i, key in ipairs(KEYS) do
  local next = math.max(nexts[i], now) + tonumber(ARGV[i * 3 - 2])
  redis.call('SET', key, string.format('%.0f', next), 'PX', math.ceil((next - now) / 1000) + 1)
end
return {0, longest}
