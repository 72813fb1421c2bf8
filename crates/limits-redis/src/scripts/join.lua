-- The epoch: what was counted since this server began, or since it forgot.
-- KEYS: epoch, joined (instances that have told what they admitted), recalls
-- ARGV: run id of the server
local epoch = redis.call('GET', KEYS[1])
if epoch and string.sub(epoch, 1, #ARGV[1]) == ARGV[1] then return epoch end
local time = redis.call('TIME')
epoch = ARGV[1] .. ':' .. string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
redis.call('SET', KEYS[1], epoch)
redis.call('DEL', KEYS[2], KEYS[3])
return epoch
