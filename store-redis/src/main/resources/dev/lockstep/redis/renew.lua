-- Lets leases last longer, also when the server's memory is full. One that has expired, or was granted in an earlier generation of the namespace,
-- is not revived. Numbers that are given out later are above the greatest that the caller has seen: a lease of several parts has the token
-- of its last one, which this partition may not know.
-- Needs generation.lua.
--
-- ARGV[3] ... id, term of each lease. Returns 1 or 0 for each: whether it is held.

local leases = memory .. ':leases'
local replies = {}

local function renewed(id, term)
  local record = redis.call('HGET', leases, id)
  if not record then return 0 end
  local expiry, rest, token = string.match(record, '^0\n(%d+)(\n(%d+)\n.*)$')
  if not expiry or tonumber(expiry) <= now or tonumber(token) <= tonumber(generation().birth) then return 0 end
  raise_last()
  redis.call('HSET', leases, id, '0\n' .. text(math.max(tonumber(expiry), now + term)) .. rest)
  return 1
end

allow_full_memory()
for i = 3, #ARGV, 2 do
  replies[#replies + 1] = renewed(ARGV[i], tonumber(ARGV[i + 1]))
end
return replies
