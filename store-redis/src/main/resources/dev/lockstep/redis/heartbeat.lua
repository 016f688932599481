-- Keeps the places of all leases of a process that wait here, also when the server's memory is full, and says which were granted.
-- Needs generation.lua.
--
-- ARGV[3] the process, ARGV[4] how long they keep their places, or 0 when none of them waits any more.
-- Returns 1 if they have kept their places since the last heartbeat, else 0: then they ask again, as they do for '*'; and the list of the
-- leases that were granted meanwhile.

local process, patience = ARGV[3], tonumber(ARGV[4])
local kept_until, granted = 'process:' .. process, 'granted:' .. process

allow_full_memory()
generation()
local known = redis.call('HMGET', memory, kept_until, granted)
redis.call('HDEL', memory, granted)
if patience > 0 then
  redis.call('HSET', memory, kept_until, text(now + patience) .. ' ' .. ARGV[4])
else
  redis.call('HDEL', memory, kept_until)
end
local kept = tonumber(string.match(known[1] or '0', '^%d+')) > now
return {kept and 1 or 0, known[2] or ''}
