-- The way that most requests take: the lease is new and nothing is in the way. It is the same as what acquire.lua does then, without what
-- that needs for everything else.
--
-- ARGV as in acquire.lua.

if life().birth == ARGV[3] and life().quiet <= now and not redis.call('HGET', leases, ARGV[4]) then
  local counts, free = {}, true
  for i = 12, #ARGV, 2 do
    counts[i] = free and count_if_free(memory .. ':lock:' .. ARGV[i + 1], ARGV[i])
    free = counts[i]
  end
  if free then
    for i = 12, #ARGV, 2 do
      enter(memory .. ':lock:' .. ARGV[i + 1], ARGV[4], ARGV[i], counts[i])
    end
    local token = text(next_number())
    redis.call('HSET', leases, ARGV[4],
        '0\n' .. text(now + ARGV[7]) .. '\n' .. token .. '\n' .. text(now) .. '\n' .. table.concat(ARGV, '\n', 6))
    return {'granted', token}
  end
end
