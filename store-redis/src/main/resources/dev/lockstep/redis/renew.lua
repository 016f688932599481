-- Lets leases last longer. One that is over, or was granted in an earlier life of the namespace, is not revived. Numbers that are given out
-- later are above the greatest that the caller has seen: a lease of several parts has the token of its last one, which this partition may
-- not know.
--
-- ARGV[3] ... id, term of each lease. Answers 1 or 0 for each: whether it is held.

local leases = memory .. ':leases'
local answers = {}
for i = 3, #ARGV, 2 do
  local record = redis.call('HGET', leases, ARGV[i])
  local expiry, rest, token
  if record then
    expiry, rest, token = string.match(record, '^0\n(%d+)(\n(%d+)\n.*)$')
  end
  local held = expiry and tonumber(expiry) > now and tonumber(token) > tonumber(life().birth)
  if held then
    raise_last()
    redis.call('HSET', leases, ARGV[i], '0\n' .. text(math.max(tonumber(expiry), now + tonumber(ARGV[i + 1]))) .. rest)
  end
  answers[#answers + 1] = held and 1 or 0
end
return answers
