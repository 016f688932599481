-- Shows who waits for whom, as far as it can be reached from one waiting lease: all who are in its way, those in their way, and so on. A lease
-- that is granted is held up by the waiting ones that are nested in it. Shows nothing when nobody waits for what the lease holds.
--
-- ARGV[3] the lease's id, ARGV[4] how many waiting leases to look at, at most.
-- Answers for each waiting lease: id, record, how many are in its way, and of each of them: id, mode, and how many waits hold it up, and
-- their ids. Those that nothing holds up are left out.

local answers = {}
local reached = {[ARGV[3]] = true}
local open = {ARGV[3]}

local function holds_awaited(lease)
  for place = 1, count_held(lease) do
    if is_awaited(lock_of(lease, place), lease.modes[place]) then return true end
  end
  return false
end

-- Whether somebody waits for a lock that the lease holds, or one that it is nested in.
local function is_in_the_way(id)
  local lease = find_lease(id)
  if not lease or holds_awaited(lease) then return lease ~= nil end
  for outer in string.gmatch(lease.outer, '%S+') do
    local around = find_lease(outer)
    if around and holds_awaited(around) then return true end
  end
  return false
end

-- The waits without which a lease that holds a lock would go on.
local function held_up_by(id)
  local lease = find_lease(id)
  if not lease or lease.expiry <= now then
    return {} -- it ends by itself
  end
  return lease.at > 0 and {id} or redis.call('SMEMBERS', memory .. ':inner:' .. id)
end

local known_holders = {}

-- Those who hold a key against this mode and are held up themselves: the same for all who wait there so.
local function holders_at(key, mode)
  local name = mode .. ' ' .. key
  if not known_holders[name] then
    local stuck = {}
    for _, holder in ipairs((others_at(key, mode, ''))) do
      holder.waits = held_up_by(holder.id)
      if #holder.waits > 0 then
        stuck[#stuck + 1] = holder
      end
    end
    known_holders[name] = stuck
  end
  return known_holders[name]
end

-- Those ahead in the queue, back to one that everybody ahead of it conflicts with: what is further ahead is reached through it.
local function those_ahead(key, mode, id)
  local queue = memory .. ':queue:' .. key
  local rank = redis.call('ZRANK', queue, id) or 0
  local ahead = {}
  while rank > 0 do
    rank = rank - 1
    local other = redis.call('ZRANGE', queue, rank, rank)[1]
    local theirs = string.sub(redis.call('HGET', memory .. ':lock:' .. key, other) or '+X', 2)
    if conflict(mode, theirs) then
      ahead[#ahead + 1] = {id = other, entry = '+' .. theirs, waits = {other}}
    end
    if theirs == 'X' then break end
  end
  return ahead
end

local function answer(blocker)
  answers[#answers + 1] = blocker.id
  answers[#answers + 1] = blocker.entry
  answers[#answers + 1] = #blocker.waits
  for _, id in ipairs(blocker.waits) do
    answers[#answers + 1] = id
    if not reached[id] then
      reached[id] = true
      open[#open + 1] = id
    end
  end
end

if not is_in_the_way(ARGV[3]) then
  return answers
end
for looked = 1, tonumber(ARGV[4]) do
  local lease = open[looked] and find_lease(open[looked])
  if lease and lease.at > 0 and lease.expiry > now then
    local key, mode = lease.keys[lease.at], lease.modes[lease.at]
    local holders, ahead = holders_at(key, mode), those_ahead(key, mode, lease.id)
    answers[#answers + 1] = lease.id
    answers[#answers + 1] = redis.call('HGET', leases, lease.id)
    answers[#answers + 1] = #holders + #ahead
    for _, blocker in ipairs(holders) do answer(blocker) end
    for _, blocker in ipairs(ahead) do answer(blocker) end
  end
end
return answers
