-- Shows who waits for whom, as far as it can be reached from one waiting lease: all who are in its way, those in their way, and so on. A lease
-- that is granted is held up by the waiting ones that are nested in it.
--
-- ARGV[3] the lease's id, ARGV[4] how many waiting leases to look at, at most.
-- Answers for each waiting lease: id, record, how many are in its way, and of each of them: id, mode, and how many waits hold it up, and
-- their ids.

local answers = {}
local reached = {[ARGV[3]] = true}
local open = {ARGV[3]}
local looked = 0

local function reach(id)
  if not reached[id] then
    reached[id] = true
    open[#open + 1] = id
  end
end

-- Those ahead in the queue, back to one that everybody ahead of it conflicts with: what is further ahead is reached through it.
local function add_ahead(key, mode, id, blockers)
  local queue = memory .. ':queue:' .. key
  local rank = redis.call('ZRANK', queue, id) or 0
  while rank > 0 do
    rank = rank - 1
    local other = redis.call('ZRANGE', queue, rank, rank)[1]
    local theirs = string.sub(redis.call('HGET', memory .. ':lock:' .. key, other) or '+X', 2)
    if conflict(mode, theirs) then
      blockers[#blockers + 1] = {id = other, mode = '+' .. theirs}
    end
    if theirs == 'X' then return end
  end
end

local function held_up_by(blocker)
  if string.sub(blocker.mode, 1, 1) == '+' then
    return {blocker.id}
  end
  local lease = find_lease(blocker.id)
  if not lease or lease.expiry <= now then
    return {} -- it ends by itself
  end
  if lease.at > 0 then
    return {blocker.id} -- it holds this lock, and waits for a later one
  end
  return redis.call('SMEMBERS', memory .. ':inner:' .. blocker.id)
end

while #open > 0 and looked < tonumber(ARGV[4]) do
  local lease = find_lease(table.remove(open, 1))
  if lease and lease.at > 0 and lease.expiry > now then
    looked = looked + 1
    local key, mode = lease.keys[lease.at], lease.modes[lease.at]
    local blockers = others_at(key, mode, lease.id)
    add_ahead(key, mode, lease.id, blockers)
    answers[#answers + 1] = lease.id
    answers[#answers + 1] = redis.call('HGET', leases, lease.id)
    answers[#answers + 1] = #blockers
    for _, blocker in ipairs(blockers) do
      local waits = held_up_by(blocker)
      answers[#answers + 1] = blocker.id
      answers[#answers + 1] = blocker.mode
      answers[#answers + 1] = #waits
      for _, id in ipairs(waits) do
        answers[#answers + 1] = id
        reach(id)
      end
    end
  end
end
return answers
