-- Finds the shortest cycle of leases that wait for each other and that one waiting lease is part of. A lease that is granted is held up by
-- the waiting ones that are nested in it. Each lock and each queue is read once, and no more than a certain number of leases in all: a
-- cycle that is longer than that, or hidden behind more, ends with the time that its requests wait.
-- Needs generation.lua, modes.lua and locks.lua.
--
-- ARGV[3] the lease's id, ARGV[4] how many leases are read at most.
-- Returns for each lease on the way round: id, record, and of the one that it waits for: id, and mode, behind a '+' if that waits itself.

local start, budget = ARGV[3], tonumber(ARGV[4])

local function holds_awaited(lease)
  for place = 1, count_held(lease) do
    if is_awaited(lock_of(lease, place), lease.modes[place]) then return true end
  end
  return false
end

-- Whether another lease waits for a lock that this one holds, or one that it is nested in.
local function is_in_the_way(lease)
  if holds_awaited(lease) then return true end
  for outer in string.gmatch(lease.outer, '%S+') do
    local around = find_lease(outer)
    if around and holds_awaited(around) then return true end
  end
  return false
end

-- How each waiting lease was reached: from which one, and through which blocker. The shortest way is found first.
local ways, open = {}, {start}

-- Continues to the waits that hold a blocker up; returns whether that closes the cycle.
local function reach(from, blocker, mode, waits)
  for _, id in ipairs(waits) do
    if not ways[id] then
      ways[id] = {from = from, blocker = blocker, mode = mode}
      if id == start then return true end
      open[#open + 1] = id
    end
  end
  return false
end

-- The waits without which a lease that holds a lock would proceed.
local function held_up_by(id)
  local lease = find_lease(id)
  if not lease or has_expired(lease) then
    return {} -- it ends by itself
  end
  return lease.at > 0 and {id} or redis.call('SMEMBERS', memory .. ':inner:' .. id)
end

local visited_holders = {}

-- Reaches those that hold a key against this mode: the same for all that wait there in it.
local function reach_holders(lease, key, mode)
  local name = mode .. ' ' .. key
  if visited_holders[name] then return false end
  visited_holders[name] = true
  local closed = false
  each_holder(key, mode, lease.id, function(id, held)
    budget = budget - 1
    closed = reach(lease.id, id, held, held_up_by(id))
    return closed or budget <= 0
  end)
  return closed
end

local queues, places = {}, {}

local function queue_at(key)
  queues[key] = queues[key] or {name = memory .. ':queue:' .. key, key = key, ids = {}, modes = {}, visited = {}}
  return queues[key]
end

-- The lease at a rank of a queue, counted from 0, and its mode. Reads a portion back from there.
local function read_rank(queue, rank)
  if not queue.ids[rank] then
    local from = math.max(0, rank - portion + 1)
    for i, member in ipairs(redis.call('ZRANGE', queue.name, from, rank)) do
      local mode, id = read_member(member)
      queue.ids[from + i - 1], queue.modes[from + i - 1] = id or member, mode or 'X'
      budget = budget - 1
    end
  end
  return queue.ids[rank], queue.modes[rank]
end

-- Whether all that such a lease waits for was reached from another one in the same mode.
local function is_covered(queue, mode, rank)
  local visited = queue.visited[mode]
  return visited_holders[mode .. ' ' .. queue.key] and (rank == 0 or visited and visited[rank - 1])
end

-- Reaches those ahead in the queue, back to one that all further ahead conflict with, through which they are reached; or to one that was
-- visited for another lease in the same mode.
local function reach_those_ahead(lease, queue, mode, rank)
  queue.visited[mode] = queue.visited[mode] or {}
  local visited = queue.visited[mode]
  for ahead = rank - 1, 0, -1 do
    if visited[ahead] or budget <= 0 then return false end
    visited[ahead] = true
    local id, theirs = read_rank(queue, ahead)
    if not id then return false end
    if conflict(mode, theirs) then
      places[id] = places[id] or {queue = queue, mode = theirs, rank = ahead}
      if reach(lease.id, id, '+' .. theirs, {id}) then return true end
    end
    if theirs == 'X' then return false end
  end
  return false
end

-- Follows the waits from one that was reached; returns whether the cycle is closed.
local function follow(id)
  local place = places[id]
  if place and is_covered(place.queue, place.mode, place.rank) then return false end
  local lease = find_lease(id)
  budget = budget - 1
  if not lease or lease.at == 0 or has_expired(lease) then return false end
  local queue, mode = queue_at(lease.keys[lease.at]), lease.modes[lease.at]
  local rank = place and place.rank or redis.call('ZRANK', queue.name, member_of(lease)) or 0
  return reach_holders(lease, queue.key, mode) or reach_those_ahead(lease, queue, mode, rank)
end

local function way_round()
  local steps, id = {}, start
  repeat
    local way = ways[id]
    for _, word in ipairs({way.mode, way.blocker, redis.call('HGET', leases, way.from), way.from}) do
      table.insert(steps, 1, word)
    end
    id = way.from
  until id == start
  return steps
end

local lease = find_lease(start)
if not lease or not is_in_the_way(lease) then
  return {}
end
local looked = 1
while open[looked] and budget > 0 do
  if follow(open[looked]) then
    return way_round()
  end
  looked = looked + 1
end
return {}
