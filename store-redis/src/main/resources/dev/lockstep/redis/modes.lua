-- A lock: the hash <namespace>:lock:<key>, in which
--   a mode             says how many leases hold it so
--   '+' and a mode     says how many wait for it so
--   a lease's id       says in which mode the lease holds it
-- Its queue: the sorted set <namespace>:queue:<key> of the leases that wait for it, as mode and id with a space between, by their place.
-- Both are deleted when no lease holds it or waits for it.
-- Needs generation.lua.

local leases = memory .. ':leases'
local modes = {'IS', 'IX', 'S', 'SIX', 'X'}
local index_of = {IS = 1, IX = 2, S = 3, SIX = 4, X = 5}

-- Whether two modes conflict.
local function conflict(mode, other)
  if mode == 'X' or other == 'X' then return true end
  if mode == 'IS' or other == 'IS' then return false end
  return not (mode == other and mode ~= 'SIX')
end

-- How many hold a lock in each mode and, from the sixth on, how many wait for it so; false for none.
local function counts_at(lock)
  return redis.call('HMGET', lock, 'IS', 'IX', 'S', 'SIX', 'X', '+IS', '+IX', '+S', '+SIX', '+X')
end

-- How many hold a lock in this mode, if it is free for a newcomer; else nil.
local function count_if_free(lock, mode)
  if redis.call('EXISTS', lock) == 0 then return 0 end
  if mode == 'X' then return nil end
  local counts = counts_at(lock)
  local same = 0
  for i, other in ipairs(modes) do
    if counts[i] or counts[i + 5] then
      if conflict(mode, other) then return nil end
      if mode == other then same = counts[i] or 0 end
    end
  end
  return same
end

-- Whether any lease waits for a lock that is held in this mode, and the number of the lock's fields.
local function is_awaited(lock, mode)
  local length = redis.call('HLEN', lock)
  if length <= 2 or mode == 'X' then return length > 2, length end -- one lease, and that it is one
  local counts = counts_at(lock)
  return counts[6] or counts[7] or counts[8] or counts[9] or counts[10], length
end

-- Counts a lease in at a lock that this many hold in its mode already.
local function enter(lock, id, mode, count)
  redis.call('HSET', lock, mode, count + 1, id, mode)
end

-- Counts it out again, unless that was done by hand. The number of the lock's fields need not be read again if it is known.
local function leave(lock, id, mode, length)
  if (length or redis.call('HLEN', lock)) <= 2 then
    redis.call('HDEL', lock, id, mode)
  elseif redis.call('HDEL', lock, id) == 1 and redis.call('HINCRBY', lock, mode, -1) <= 0 then
    redis.call('HDEL', lock, mode)
  end
end
