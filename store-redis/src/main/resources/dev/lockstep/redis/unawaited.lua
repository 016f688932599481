-- The way that most releases take: the lease is granted and nobody waits for its locks. It is the same as what release.lua does then,
-- without what that needs for everything else. What is left to release.lua finds `record` and `expiry` here.
--
-- ARGV as in release.lua.

local record = redis.call('HGET', leases, ARGV[3])
if not record then
  return {0}
end
local expiry = string.match(record, '^0\n(%d+)')
if expiry then
  local awaited = false
  for i = 5, #ARGV, 2 do
    awaited = awaited or is_awaited(memory .. ':lock:' .. ARGV[i + 1], ARGV[i])
  end
  if not awaited then
    redis.call('HDEL', leases, ARGV[3])
    for i = #ARGV - 1, 5, -2 do
      leave(memory .. ':lock:' .. ARGV[i + 1], ARGV[3], ARGV[i])
    end
    return {tonumber(expiry) > now and 1 or 0}
  end
end
