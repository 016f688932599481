-- The way that most requests take: the lease is new and its locks are free. It is the same as what acquire.lua does then, without what
-- that needs for everything else.
-- Needs generation.lua and modes.lua.
--
-- ARGV[3] the birth of the generation that the caller knows, ARGV[4] the lease's id, ARGV[5] 1 to wait, 0 to fail at once,
-- ARGV[6] ... what goes into the record (locks.lua): process, term, patience, owner, call site, outer leases, and then mode, key of each lock.

local known_birth, id = ARGV[3], ARGV[4]
local term, first_field, first_lock = tonumber(ARGV[7]), 6, 12

local function request_text()
  return table.concat(ARGV, '\n', first_field)
end

if generation().birth == known_birth and generation().quiet <= now and not redis.call('HGET', leases, id) then
  local counts, free = {}, true
  for i = first_lock, #ARGV, 2 do
    counts[i] = free and count_if_free(memory .. ':lock:' .. ARGV[i + 1], ARGV[i])
    free = counts[i]
  end
  if free then
    for i = first_lock, #ARGV, 2 do
      enter(memory .. ':lock:' .. ARGV[i + 1], id, ARGV[i], counts[i])
    end
    local token = text(next_number())
    redis.call('HSET', leases, id, '0\n' .. text(now + term) .. '\n' .. token .. '\n' .. text(now) .. '\n' .. request_text())
    return {'granted', token}
  end
end
