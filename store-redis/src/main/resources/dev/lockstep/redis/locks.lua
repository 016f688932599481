-- Leases and the locks they are made of.
--
-- <namespace>:leases        hash: a lease's id -> its record, lines of text:
--     1 at        0 once granted; else which of its locks it waits for, while it holds those before it
--     2 expiry    when it is over: a granted one unless renewed, a waiting one unless its process asks again
--     3 token
--     4 since     when it was granted or began to wait
--     5 process   whom to wake
--     6 term      7 patience    how long it lasts when granted, and without being asked for while it waits
--     8 owner     9 call site   10 the ids of the leases it is nested in
--     11 mode, 12 key, 13 mode, 14 key ...   its locks, in order
-- <namespace>:lock:<key>    hash: mode -> how many hold it so, '+' mode -> how many wait for it so, a lease's id -> its mode here
-- <namespace>:queue:<key>   sorted set: the leases that wait here, by their place
-- <namespace>:inner:<id>    set: the leases nested in this one that wait
--
-- A lease waits when it conflicts with one that holds the lock, or waits for it further ahead. So nobody is overtaken by one that would
-- prolong the wait, and nobody waits behind one that it doesn't conflict with.

local leases = memory .. ':leases'

-- Which modes stand in the way of which.
local function conflict(mode, other)
  if mode == 'X' or other == 'X' then return true end
  if mode == 'IS' or other == 'IS' then return false end
  return not (mode == other and mode ~= 'SIX')
end

-- Whether anybody is in the way of a newcomer in this mode.
local function is_blocked(lock, mode)
  if mode == 'X' then return redis.call('EXISTS', lock) == 1 end
  local found
  if mode == 'IS' then
    found = redis.call('HMGET', lock, 'X', '+X')
  elseif mode == 'IX' then
    found = redis.call('HMGET', lock, 'S', 'SIX', 'X', '+S', '+SIX', '+X')
  elseif mode == 'S' then
    found = redis.call('HMGET', lock, 'IX', 'SIX', 'X', '+IX', '+SIX', '+X')
  else
    found = redis.call('HMGET', lock, 'IX', 'S', 'SIX', 'X', '+IX', '+S', '+SIX', '+X')
  end
  for i = 1, #found do
    if found[i] then return true end
  end
  return false
end

-- Counts a lease in at a lock in a mode, or in '+' mode when it waits there.
local function enter(lock, id, mode)
  redis.call('HINCRBY', lock, mode, 1)
  redis.call('HSET', lock, id, mode)
end

local function leave(lock, id, mode)
  if redis.call('HINCRBY', lock, mode, -1) == 0 then
    redis.call('HDEL', lock, id, mode)
  else
    redis.call('HDEL', lock, id)
  end
end

-- Reads a lease's record; nil when there is none.
local function find_lease(id)
  local record = redis.call('HGET', leases, id)
  if not record then return nil end
  local lines = {}
  for line in string.gmatch(record .. '\n', '(.-)\n') do
    lines[#lines + 1] = line
  end
  local lease = {
    id = id, at = tonumber(lines[1]), expiry = tonumber(lines[2]), token = lines[3], since = lines[4], process = lines[5],
    term = tonumber(lines[6]), patience = tonumber(lines[7]), owner = lines[8], outer = lines[10],
    request = table.concat(lines, '\n', 5), modes = {}, keys = {}
  }
  for i = 11, #lines, 2 do
    lease.modes[#lease.modes + 1] = lines[i]
    lease.keys[#lease.keys + 1] = lines[i + 1]
  end
  return lease
end

local function save(lease)
  redis.call('HSET', leases, lease.id,
      lease.at .. '\n' .. text(lease.expiry) .. '\n' .. lease.token .. '\n' .. lease.since .. '\n' .. lease.request)
end

local function lock_of(lease, place)
  return memory .. ':lock:' .. lease.keys[place]
end

local function queue_of(lease)
  return memory .. ':queue:' .. lease.keys[lease.at]
end

-- How many locks it holds: all of them, or those before the one it waits for.
local function count_held(lease)
  return lease.at == 0 and #lease.keys or lease.at - 1
end

-- Keys at which someone may be let in now that somebody left.
local freed = {}

local function join_queue(lease, place)
  lease.at = place
  enter(lock_of(lease, place), lease.id, '+' .. lease.modes[place])
  redis.call('ZADD', queue_of(lease), text(next_number()), lease.id)
  for outer in string.gmatch(lease.outer, '%S+') do
    redis.call('SADD', memory .. ':inner:' .. outer, lease.id)
  end
end

local function leave_queue(lease)
  leave(lock_of(lease, lease.at), lease.id, '+' .. lease.modes[lease.at])
  redis.call('ZREM', queue_of(lease), lease.id)
  for outer in string.gmatch(lease.outer, '%S+') do
    redis.call('SREM', memory .. ':inner:' .. outer, lease.id)
  end
end

-- Gives back its locks from the last one it holds, in reverse order.
local function give_back(lease, last)
  for place = last, 1, -1 do
    leave(lock_of(lease, place), lease.id, lease.modes[place])
    freed[#freed + 1] = lease.keys[place]
  end
end

-- Ends a lease, whatever it has come to.
local function remove(lease)
  redis.call('HDEL', leases, lease.id)
  if lease.at > 0 then
    leave_queue(lease)
    freed[#freed + 1] = lease.keys[lease.at]
  end
  give_back(lease, count_held(lease))
end

-- The process that is told of its own leases' grants in the answer to this call, and those grants. Others are woken.
local told_process
local told = {}

local function grant(lease, expiry)
  lease.at = 0
  lease.token = text(next_number())
  lease.since = text(now)
  lease.expiry = expiry
  save(lease)
end

local function grant_waiter(lease)
  if lease.process == told_process then
    grant(lease, now + lease.term)
    told[#told + 1] = lease.id
    told[#told + 1] = lease.token
  else
    grant(lease, lease.expiry) -- for as long as it is believed to be alive, until it says that it knows
    redis.pcall('PUBLISH', memory .. ':wake:' .. lease.process, lease.id) -- a hint that is refused is a hint that is lost
  end
end

-- Takes a lease's locks from one place on; answers the place of the first that it can't have, or nil when it has them all.
local function take(lease, from)
  for place = from, #lease.keys do
    local lock = lock_of(lease, place)
    if is_blocked(lock, lease.modes[place]) then return place end
    enter(lock, lease.id, lease.modes[place])
  end
  return nil
end

-- Lets a waiting lease have the lock that it waits for, and moves it on.
local function let_in(lease)
  local place = lease.at
  leave_queue(lease)
  enter(lock_of(lease, place), lease.id, lease.modes[place])
  local blocked = take(lease, place + 1)
  if blocked then
    join_queue(lease, blocked)
    save(lease)
  else
    grant_waiter(lease)
  end
end

-- Whether a lease that waits for a lock conflicts with one that holds it.
local function is_held_against(lock, mode)
  local modes = {'IS', 'IX', 'S', 'SIX', 'X'}
  local held = redis.call('HMGET', lock, unpack(modes))
  for i, other in ipairs(modes) do
    if held[i] and conflict(mode, other) then return true end
  end
  return false
end

local function conflicts_with_any(mode, others)
  for _, other in ipairs(others) do
    if conflict(mode, other) then return true end
  end
  return false
end

-- Lets in at a key whoever is in nobody's way any more, first come first served. The dead are skipped for good.
local function serve(key)
  local lock = memory .. ':lock:' .. key
  local queue = memory .. ':queue:' .. key
  local ahead = {}
  while true do
    local id = redis.call('ZRANGE', queue, #ahead, #ahead)[1]
    if not id or life().quiet > now then return end
    local lease = find_lease(id)
    local mode = lease and lease.modes[lease.at]
    if not mode then -- someone took its record away by hand
      leave(lock, id, redis.call('HGET', lock, id) or '+X')
      redis.call('ZREM', queue, id)
    elseif lease.expiry <= now then
      remove(lease)
    elseif conflicts_with_any(mode, ahead) or is_held_against(lock, mode) then
      if mode == 'X' then return end -- everybody behind it waits for it
      ahead[#ahead + 1] = mode
    else
      let_in(lease)
      if mode == 'X' then return end
    end
  end
end

local function serve_freed()
  while #freed > 0 do
    serve(table.remove(freed))
  end
end

-- Everyone at a key who is in the way of a lease in this mode: those who hold it, and those who wait for it.
local function others_at(key, mode, id)
  local holders, waiters = {}, {}
  local entries = redis.call('HGETALL', memory .. ':lock:' .. key)
  for i = 1, #entries, 2 do
    local waits, other = string.match(entries[i + 1], '^(%+?)(%u+)$')
    if other and entries[i] ~= id and conflict(mode, other) then -- else it is a count
      local list = waits == '+' and waiters or holders
      list[#list + 1] = {id = entries[i], mode = other}
    end
  end
  return holders, waiters
end

-- Removes those that are over; answers when the next of the others will be.
local function remove_expired(others)
  local earliest = math.huge
  for _, other in ipairs(others) do
    local record = redis.call('HGET', leases, other.id)
    local expiry = record and tonumber(string.match(record, '\n(%d+)')) or math.huge
    if expiry <= now then
      remove(find_lease(other.id))
    else
      earliest = math.min(earliest, expiry)
    end
  end
  return earliest
end

local function place_in_queue(key, id)
  return tonumber(redis.call('ZSCORE', memory .. ':queue:' .. key, id) or math.huge)
end

-- Who is in the way of a lease at a key, for people to read: id, mode, whether it waits itself, since when, and owner, of at most 16.
local function describe_blockers(key, mode, id)
  local holders, waiters = others_at(key, mode, id)
  local own = place_in_queue(key, id)
  local described = {}
  local function describe(other, waits)
    local lease = #described < 80 and find_lease(other.id)
    if lease then
      for _, word in ipairs({lease.id, other.mode, waits, lease.since, lease.owner}) do
        described[#described + 1] = word
      end
    end
  end
  for _, other in ipairs(holders) do
    describe(other, '0')
  end
  for _, other in ipairs(waiters) do
    if place_in_queue(key, other.id) < own then
      describe(other, '1')
    end
  end
  return described
end
