-- Leases and the locks they are made of.
-- Needs generation.lua and modes.lua.
--
-- <namespace>:leases        hash: a lease's id -> its record, lines of text:
--     1 at        0 once granted; else which of its locks it waits for, while it holds those before it
--     2 expiry    when it expires: a granted one unless renewed, a waiting one unless it asks again or its process sends heartbeats
--     3 token     while it waits: its place in the queue
--     4 since     when it was granted or began to wait
--     5 process   that it belongs to
--     6 term      7 patience    how long it lasts when granted, and without a sign of activity while it waits
--     8 owner     9 call site   10 the ids of the leases it is nested in
--     11 mode, 12 key, 13 mode, 14 key ...   its locks, in order
--   The requests of Java (AcquireCall) are lines 5 and on; LeaseRecord reads them all.
-- <namespace>:lock:<key>, <namespace>:queue:<key>   see modes.lua
-- <namespace>:inner:<id>    set: the leases nested in this one that wait
--
-- A lease waits when it conflicts with one that holds the lock, or waits for it further ahead. So no lease is overtaken by one that would
-- prolong its wait, and none waits behind one that it doesn't conflict with.

-- How many of a queue one script reads: others wait for the server meanwhile.
local most_read, portion = 1024, 64

-- How many more leases this script lets in or removes for others, at all keys together.
local budget = 64

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

local known_processes = {}

-- Until when a process keeps the places of its waiting leases.
local function alive_until(process)
  if not known_processes[process] then
    known_processes[process] = tonumber(string.match(redis.call('HGET', memory, 'process:' .. process) or '0', '^%d+'))
  end
  return known_processes[process]
end

-- Whether a lease waits, or waited, since before the namespace lost its memory: its process may know nothing of it any more.
local function is_of_earlier_generation(lease)
  return tonumber(lease.token) <= tonumber(generation().birth)
end

-- Until when a waiting lease keeps its place.
local function kept_until(lease)
  if is_of_earlier_generation(lease) then return lease.expiry end
  return math.max(lease.expiry, alive_until(lease.process))
end

-- When a lease expires unless something is done for it. A waiting one may last longer.
local function end_of(lease)
  if lease.at == 0 or lease.expiry > now then return lease.expiry end
  return kept_until(lease)
end

local function has_expired(lease)
  return end_of(lease) <= now
end

local function lock_of(lease, place)
  return memory .. ':lock:' .. lease.keys[place]
end

local function queue_of(lease)
  return memory .. ':queue:' .. lease.keys[lease.at]
end

-- How a lease that waits is named in the queue.
local function member_of(lease)
  return lease.modes[lease.at] .. ' ' .. lease.id
end

local function read_member(member)
  return string.match(member, '^(%u+) (.*)$')
end

-- How many locks it holds: all of them, or those before the one it waits for.
local function count_held(lease)
  return lease.at == 0 and #lease.keys or lease.at - 1
end

-- Keys at which a waiting lease may be let in now that another one left; each is in the list once.
local freed, is_freed = {}, {}

local function add_freed(key)
  if not is_freed[key] then
    is_freed[key] = true
    freed[#freed + 1] = key
  end
end

-- More fields and values of the namespace may be recorded with it.
local function join_queue(lease, place, ...)
  lease.at = place
  lease.token = text(next_number(...))
  if redis.call('ZADD', queue_of(lease), lease.token, member_of(lease)) == 1 then
    redis.call('HINCRBY', lock_of(lease, place), '+' .. lease.modes[place], 1)
  end
  for outer in string.gmatch(lease.outer, '%S+') do
    redis.call('SADD', memory .. ':inner:' .. outer, lease.id)
  end
end

-- Takes a member out of a queue, unless that was done by hand. One that names no mode was put there by hand, and is not counted.
local function drop_member(key, member)
  local lock, mode = memory .. ':lock:' .. key, (read_member(member))
  if redis.call('ZREM', memory .. ':queue:' .. key, member) == 1 and mode
      and redis.call('HINCRBY', lock, '+' .. mode, -1) <= 0 then
    redis.call('HDEL', lock, '+' .. mode)
  end
end

local function leave_queue(lease)
  drop_member(lease.keys[lease.at], member_of(lease))
  for outer in string.gmatch(lease.outer, '%S+') do
    redis.call('SREM', memory .. ':inner:' .. outer, lease.id)
  end
end

-- Releases its locks from the last one it holds, in reverse order.
local function release_locks(lease, last)
  for place = last, 1, -1 do
    leave(lock_of(lease, place), lease.id, lease.modes[place])
    add_freed(lease.keys[place])
  end
end

-- Ends a lease, granted or waiting.
local function remove(lease)
  redis.call('HDEL', leases, lease.id)
  if lease.at > 0 then
    leave_queue(lease)
    add_freed(lease.keys[lease.at])
  end
  release_locks(lease, count_held(lease))
end

-- Which leases learn from the reply to this call that they were granted, and need no hint: the one that asks, or all of a process.
local asking_lease, replied_process
local granted_here = {}

local function grant(lease, expiry)
  lease.at = 0
  lease.token = text(next_number())
  lease.since = text(now)
  lease.expiry = expiry
  save(lease)
end

-- Notifies a process that one of its leases may move on: a hint that is refused is a hint that is lost.
local function hint(lease)
  redis.pcall('PUBLISH', memory .. ':wake:' .. lease.process, lease.id)
end

local longest_list = 16384 -- characters

-- Lets the process learn of a grant by its next heartbeat if the hint is lost: '*' stands for more than fit into the list.
local function remember_grant(lease)
  local field = 'granted:' .. lease.process
  local list = redis.call('HGET', memory, field) or ''
  redis.call('HSET', memory, field, #list < longest_list and list .. lease.id .. ' ' or '*')
end

local function grant_waiter(lease)
  if lease.process == replied_process then
    grant(lease, now + lease.term)
    granted_here[#granted_here + 1] = lease.id
    granted_here[#granted_here + 1] = lease.token
    return
  end
  grant(lease, math.min(kept_until(lease), now + lease.term)) -- while it is believed to be alive, until it says that it knows
  if lease.id ~= asking_lease then
    remember_grant(lease)
    hint(lease)
  end
end

-- Takes a lease's locks from one place on; returns the place of the first that is not free, or nil when it holds them all.
local function take(lease, from)
  for place = from, #lease.keys do
    local lock, mode = lock_of(lease, place), lease.modes[place]
    local count = count_if_free(lock, mode)
    if not count then return place end
    enter(lock, lease.id, mode, count)
  end
  return nil
end

-- Lets a waiting lease have the lock that it waits for, which this many hold in its mode, and moves it on.
local function let_in(lease, count)
  local place = lease.at
  leave_queue(lease)
  enter(lock_of(lease, place), lease.id, lease.modes[place], count)
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

-- Whether any lease waits in a mode that conflicts with nothing.
local function may_let_in(counts, ahead)
  for i, mode in ipairs(modes) do
    if counts[i + 5] and not is_against(mode, counts, ahead) then return true end
  end
  return false
end

-- Reads a queue in portions, while those before a rank may be removed.
local function queue_reader(queue)
  local rank, members, at = 0, {}, 0
  local reader = {read = 0}
  function reader.next()
    at = at + 1
    if at > #members then
      members, at = redis.call('ZRANGE', queue, rank, rank + portion - 1), 1
    end
    reader.read = reader.read + 1
    return members[at]
  end
  function reader.stays() rank = rank + 1 end
  return reader
end

-- Lets the first lease of a queue that hasn't expired ask for what is left to do.
local function hint_next(queue)
  for _, member in ipairs(redis.call('ZRANGE', queue, 0, portion - 1)) do
    local _, id = read_member(member)
    local lease = id and find_lease(id)
    if lease and not has_expired(lease) then return hint(lease) end
  end
end

-- Lets in at a key the leases that nothing conflicts with any more, first come first served, and removes those that have expired: as many as
-- the budget allows, and hints at the next one, whose process then asks for more.
local function serve(key)
  local lock, queue = memory .. ':lock:' .. key, memory .. ':queue:' .. key
  if redis.call('EXISTS', queue) == 0 or generation().quiet > now then return end
  local counts, ahead, reader = counts_at(lock), {}, queue_reader(queue)
  while may_let_in(counts, ahead) and reader.read < most_read do
    local member = reader.next()
    if not member then return end
    local mode, id = read_member(member)
    local blocked = not mode or is_against(mode, counts, ahead)
    if mode and blocked and ahead[mode] then
      reader.stays()
    else
      local lease = mode and find_lease(id)
      local waits_here = lease and lease.at > 0 and lease.keys[lease.at] == key
      if budget <= 0 then
        return hint_next(queue)
      elseif not waits_here then -- changed by hand
        drop_member(key, member)
        budget = budget - 1
        counts = counts_at(lock)
      elseif has_expired(lease) then
        remove(lease)
        budget = budget - 1
        counts = counts_at(lock)
      elseif blocked then
        ahead[mode] = true
        reader.stays()
      else
        let_in(lease, tonumber(counts[index_of[mode]] or 0))
        budget = budget - 1
        if mode == 'X' then return end
        counts = counts_at(lock)
      end
    end
  end
end

local function serve_freed()
  local i = 1
  while freed[i] do
    serve(freed[i])
    is_freed[freed[i]] = nil
    i = i + 1
  end
  freed = {}
end

-- Visits those that hold a lock against this mode, until one visit returns true. Few, where many hold it, are read at a time.
local function each_holder(key, mode, id, visit)
  local lock, cursor = memory .. ':lock:' .. key, '0'
  repeat
    local scanned = redis.call('HSCAN', lock, cursor, 'COUNT', portion)
    local entries = scanned[2]
    cursor = scanned[1]
    for i = 1, #entries, 2 do
      local held = entries[i + 1]
      if index_of[held] and entries[i] ~= id and conflict(mode, held) and visit(entries[i], held) then return end
    end
  until cursor == '0'
end

-- Removes expired leases that hold a lock against this mode, up to the first that hasn't expired and as many as the budget allows. Returns
-- whether there were any, and when the next one may be removed.
local function remove_expired_holders(key, mode, id)
  local count, next_expiry = 0, math.huge
  each_holder(key, mode, id, function(holder, held)
    local lease = find_lease(holder)
    count = count + 1
    if lease and not has_expired(lease) or budget <= 0 then
      next_expiry = budget <= 0 and now or end_of(lease)
      return true
    end
    budget = budget - 1
    if lease then
      remove(lease)
    elseif redis.call('HGET', memory .. ':lock:' .. key, holder) then -- removed by hand, and not visited twice by the scan
      leave(memory .. ':lock:' .. key, holder, held)
      add_freed(key)
    end
  end)
  return count > 0, next_expiry
end

-- Removes expired leases at the head of a queue, up to the first that hasn't expired and waits against this mode. Returns whether there
-- is such a one, or may be.
local function remove_expired_waiters(key, mode)
  local reader = queue_reader(memory .. ':queue:' .. key)
  while reader.read < most_read and budget > 0 do
    local member = reader.next()
    if not member then return false end
    local waiting, id = read_member(member)
    local lease = waiting and find_lease(id)
    if not lease then -- removed by hand
      drop_member(key, member)
      add_freed(key)
      budget = budget - 1
    elseif has_expired(lease) then
      remove(lease)
      budget = budget - 1
    elseif conflict(mode, waiting) then
      return true
    else
      reader.stays()
    end
  end
  return true
end

-- Counts anew which leases are at a key: something was changed by hand.
local function recount(key)
  local lock, counts = memory .. ':lock:' .. key, {}
  local entries = redis.call('HGETALL', lock)
  for i = 1, #entries, 2 do
    if index_of[entries[i + 1]] then
      counts[entries[i + 1]] = (counts[entries[i + 1]] or 0) + 1
    else
      redis.call('HDEL', lock, entries[i])
    end
  end
  for _, member in ipairs(redis.call('ZRANGE', memory .. ':queue:' .. key, 0, -1)) do
    local mode = read_member(member)
    if mode then
      counts['+' .. mode] = (counts['+' .. mode] or 0) + 1
    else
      drop_member(key, member)
    end
  end
  for mode, count in pairs(counts) do
    redis.call('HSET', lock, mode, count)
  end
  add_freed(key)
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

-- The leases that are in the way of one at a key, for people to read: id, mode, whether it waits itself, since when, and owner, of some.
local function describe_blockers(key, mode, id)
  local described, holders = {}, 0
  each_holder(key, mode, id, function(holder, held)
    describe(described, holder, held, '0')
    holders = holders + 1
    return holders == most_described
  end)
  for _, member in ipairs(redis.call('ZRANGE', memory .. ':queue:' .. key, 0, most_described - 1)) do
    local theirs, other = read_member(member)
    if other == id then break end
    if theirs and conflict(mode, theirs) then
      describe(described, other, theirs, '1')
    end
  end
  return described
end
