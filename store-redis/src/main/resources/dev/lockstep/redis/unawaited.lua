-- The way that most releases take: the lease is granted and no other waits for its locks. It is the same as what release.lua does then,
-- without what that needs for everything else.
-- Needs generation.lua and modes.lua.
--
-- ARGV[3] the lease's id, ARGV[4] the caller's process, ARGV[5] ... mode, key of each lock.

local id, caller, first_lock = ARGV[3], ARGV[4], 5

local record = redis.call('HGET', leases, id)
if not record then
  return {0}
end
local expiry = string.match(record, '^0\n(%d+)') -- of a granted one
if expiry then
  local awaited, lengths = false, {}
  for i = first_lock, #ARGV, 2 do
    if not awaited then
      awaited, lengths[i] = is_awaited(memory .. ':lock:' .. ARGV[i + 1], ARGV[i])
    end
  end
  if not awaited then
    redis.call('HDEL', leases, id)
    for i = #ARGV - 1, first_lock, -2 do
      leave(memory .. ':lock:' .. ARGV[i + 1], id, ARGV[i], lengths[i])
    end
    return {tonumber(expiry) > now and 1 or 0}
  end
end
