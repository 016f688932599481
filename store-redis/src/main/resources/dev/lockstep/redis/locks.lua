-- Leases and the locks they are made of.
--
-- <namespace>:leases        hash: a lease's id -> its record, lines of text:
--     1 at        0 once granted; else which of its locks it waits for, while it holds those before it
--     2 expiry    when it is over: a granted one unless renewed, a waiting one unless its process asks again
--     3 token     while it waits: its place in the queue
--     4 since     when it was granted or began to wait
--     5 process   whom to wake
--     6 term      7 patience    how long it lasts when granted, and without being asked for while it waits
--     8 owner     9 call site   10 the ids of the leases it is nested in
--     11 mode, 12 key, 13 mode, 14 key ...   its locks, in order
-- <namespace>:lock:<key>    see modes.lua
-- <namespace>:queue:<key>   sorted set: the leases that wait here, by their place
-- <namespace>:inner:<id>    set: the leases nested in this one that wait
--
-- A lease waits when it conflicts with one that holds the lock, or waits for it further ahead. So nobody is overtaken by one that would
-- prolong the wait, and nobody waits behind one that it doesn't conflict with.

-- When a lease is over, by its record.
local function expiry_of(record)
  return tonumber(string.match(record, '\n(%d+)'))
end

local fields = '^(%d+)\n(%d+)\n(%d+)\n(%d+)\n()([^\n]*)\n(%d+)\n(%d+)\n([^\n]*)\n[^\n]*\n([^\n]*)\n()'

local function read_lease(id, record)
  local at, expiry, token, since, request, process, term, patience, owner, outer, plan = string.match(record, fields)
  local lease = {
    id = id, at = tonumber(at), expiry = tonumber(expiry), token = token, since = since, process = process, term = tonumber(term),
    patience = tonumber(patience), owner = owner, outer = outer, request = string.sub(record, request), modes = {}, keys = {}
  }
  local place = 0
  for mode, key in string.gmatch(string.sub(record, plan), '(%u+)\n([^\n]+)') do
    place = place + 1
    lease.modes[place], lease.keys[place] = mode, key
  end
  return lease
end

-- Reads a lease's record; nil when there is none.
local function find_lease(id)
  local record = redis.call('HGET', leases, id)
  return record and read_lease(id, record) or nil
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
  lease.token = text(next_number())
  local lock, waiting = lock_of(lease, place), '+' .. lease.modes[place]
  enter(lock, lease.id, waiting, tonumber(redis.call('HGET', lock, waiting) or 0))
  redis.call('ZADD', queue_of(lease), lease.token, lease.id)
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

-- Who learns from the answer to this call that a lease was granted, and needs no wake-up: the lease that asks, or all of a process.
local asking_lease, told_process
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
    return
  end
  grant(lease, math.min(lease.expiry, now + lease.term)) -- while it is believed to be alive, until it says that it knows
  if lease.id ~= asking_lease then
    redis.pcall('PUBLISH', memory .. ':wake:' .. lease.process, lease.id) -- a hint that is refused is a hint that is lost
  end
end

-- Takes a lease's locks from one place on; answers the place of the first that it can't have, or nil when it has them all.
local function take(lease, from)
  for place = from, #lease.keys do
    local lock, mode = lock_of(lease, place), lease.modes[place]
    local count = count_if_free(lock, mode)
    if not count then return place end
    enter(lock, lease.id, mode, count)
  end
  return nil
end

-- Lets a waiting lease have the lock that it waits for, and moves it on.
local function let_in(lease)
  local place = lease.at
  local lock, mode = lock_of(lease, place), lease.modes[place]
  leave_queue(lease)
  enter(lock, lease.id, mode, tonumber(redis.call('HGET', lock, mode) or 0))
  local blocked = take(lease, place + 1)
  if blocked then
    join_queue(lease, blocked)
    save(lease)
  else
    grant_waiter(lease)
  end
end

-- Whether a waiting lease in this mode conflicts with the modes that are held, or with those that wait ahead of it.
local function is_against(mode, counts, ahead)
  for i, other in ipairs(modes) do
    if (counts[i] or ahead[other]) and conflict(mode, other) then return true end
  end
  return false
end

-- Whether anyone waits in a mode for which nothing is in the way.
local function may_let_in(counts, ahead)
  for i, mode in ipairs(modes) do
    if counts[i + 5] and not is_against(mode, counts, ahead) then return true end
  end
  return false
end

-- Lets in at a key whoever is in nobody's way any more, first come first served. The dead are skipped for good.
local function serve(key)
  local lock, queue = memory .. ':lock:' .. key, memory .. ':queue:' .. key
  if redis.call('EXISTS', queue) == 0 or life().quiet > now then return end
  local counts, ahead, rank = counts_at(lock), {}, 0
  while may_let_in(counts, ahead) do
    local id = redis.call('ZRANGE', queue, rank, rank)[1]
    if not id then return end
    local mode = string.sub(redis.call('HGET', lock, id) or '', 2)
    local record = redis.call('HGET', leases, id)
    if mode ~= '' and record and expiry_of(record) > now and is_against(mode, counts, ahead) then
      ahead[mode] = true
      rank = rank + 1
    else
      local lease = record and read_lease(id, record)
      if not lease or lease.at == 0 then -- changed by hand
        leave(lock, id, '+' .. mode)
        redis.call('ZREM', queue, id)
      elseif lease.expiry <= now then
        remove(lease)
      else
        let_in(lease)
        if mode == 'X' then return end
      end
      counts = counts_at(lock)
    end
  end
end

local function serve_freed()
  local i = 1
  while freed[i] do
    serve(freed[i])
    i = i + 1
  end
  freed = {}
end

-- Everyone at a key who is in the way of a lease in this mode: those who hold it, and those who wait for it.
local function others_at(key, mode, id)
  local holders, waiters = {}, {}
  local entries = redis.call('HGETALL', memory .. ':lock:' .. key)
  for i = 1, #entries, 2 do
    local waits, other = string.match(entries[i + 1], '^(%+?)(%u+)$')
    if other and entries[i] ~= id and conflict(mode, other) then -- else it is a count
      local list = waits == '+' and waiters or holders
      list[#list + 1] = {id = entries[i], mode = other, entry = entries[i + 1]}
    end
  end
  return holders, waiters
end

-- Removes those at a key that are over, up to the first that isn't; answers when that one will be.
local function remove_expired(key, others)
  for _, other in ipairs(others) do
    local record = redis.call('HGET', leases, other.id)
    if record and expiry_of(record) > now then
      return expiry_of(record)
    end
    if record then
      remove(find_lease(other.id))
    else -- removed by hand
      leave(memory .. ':lock:' .. key, other.id, other.entry)
      freed[#freed + 1] = key
    end
  end
  return math.huge
end

-- Counts anew who is at a key: something is in the way there, but nobody, because someone changed it by hand.
local function recount(key)
  local lock, counts = memory .. ':lock:' .. key, {}
  local entries = redis.call('HGETALL', lock)
  for i = 1, #entries, 2 do
    if string.match(entries[i + 1], '^%+?%u+$') then
      counts[entries[i + 1]] = (counts[entries[i + 1]] or 0) + 1
    else
      redis.call('HDEL', lock, entries[i])
    end
  end
  for mode, count in pairs(counts) do
    redis.call('HSET', lock, mode, count)
  end
  freed[#freed + 1] = key
end

local most_described = 16

local function describe(described, id, mode, waits)
  local lease = find_lease(id)
  if lease then
    for _, word in ipairs({id, mode, waits, lease.since, lease.owner}) do
      described[#described + 1] = word
    end
  end
end

-- Who is in the way of a lease at a key, for people to read: id, mode, whether it waits itself, since when, and owner, of some.
local function describe_blockers(key, mode, id)
  local described = {}
  local holders = others_at(key, mode, id)
  for i = 1, math.min(#holders, most_described) do
    describe(described, holders[i].id, holders[i].mode, '0')
  end
  for _, other in ipairs(redis.call('ZRANGE', memory .. ':queue:' .. key, 0, most_described - 1)) do
    if other == id then break end
    local theirs = string.sub(redis.call('HGET', memory .. ':lock:' .. key, other) or '+X', 2)
    if conflict(mode, theirs) then
      describe(described, other, theirs, '1')
    end
  end
  return described
end
