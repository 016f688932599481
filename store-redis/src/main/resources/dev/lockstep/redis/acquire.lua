-- Takes all locks of a lease in order, or queues at the first that is not free. Asking again for the same lease, which one that waits does
-- from time to time, shows that it is still wanted, says what became of it, and does what had to be done for it to move on.
-- Needs generation.lua, modes.lua, free.lua, which names the arguments, and locks.lua.
--
-- Returns one of
--   granted, token
--   queued, place, microseconds after which it should ask again at the latest (or -1)
--   busy, place, and id, mode, waits, since, owner of those in the way
--   quiet, microseconds until locks are granted again, why
--   generation, birth, longest term, number of partitions: the caller knows another generation; it learns of this one before it gets anything

local here = generation()
if here.birth ~= known_birth then
  return {'generation', here.birth, agreed()}
end
if here.quiet > now then
  return {'quiet', text(here.quiet - now), redis.call('HGET', memory, 'why')}
end

asking_lease = id
local waits = ARGV[5] == '1'

-- One that doesn't wait can't ask again for the rest.
if not waits then
  budget = most_read
end

-- One that waits asks once a second, unless its process has another one that waits ahead of it at the same lock.
local ask_again_within = 1500000

local function new_lease()
  local lease = {
    id = id, at = 0, expiry = 0, token = '0', since = text(now), process = ARGV[first_field], term = term,
    patience = tonumber(ARGV[8]), owner = ARGV[9], outer = ARGV[11], request = request_text(), modes = {}, keys = {}
  }
  for i = first_lock, #ARGV, 2 do
    lease.modes[#lease.modes + 1] = ARGV[i]
    lease.keys[#lease.keys + 1] = ARGV[i + 1]
  end
  return lease
end

local function granted(lease)
  return {'granted', lease.token}
end

local function queued(lease, next_expiry)
  return {'queued', lease.at, next_expiry < math.huge and text(next_expiry - now) or '-1'}
end

-- The first lease in a queue, if there is one.
local function read_first(key)
  local _, first = read_member(redis.call('ZRANGE', memory .. ':queue:' .. key, 0, 0)[1] or '')
  return first and find_lease(first)
end

-- Takes the locks from one place on, past those of expired leases. When one is not free: the place, and when that may change.
local function take_or_wait(lease, from)
  local blocked = take(lease, from)
  while blocked do
    local key, mode = lease.keys[blocked], lease.modes[blocked]
    local first = waits and read_first(key)
    if first and not has_expired(first) then
      return blocked, math.huge -- it asks on behalf of all
    end
    local held, next_expiry = remove_expired_holders(key, mode, id)
    if next_expiry == math.huge and not remove_expired_waiters(key, mode) and not held then
      recount(key)
    end
    if #freed == 0 then
      return blocked, next_expiry
    end
    serve_freed()
    budget = budget - 1 -- also if nothing was removed: what was changed by hand must not keep it here
    if budget <= 0 then
      return blocked, now
    end
    blocked = take(lease, blocked)
  end
  return nil
end

-- An entry of the lease itself is left at a lock when its record was deleted by hand.
local function forget_itself(lease)
  for place = 1, #lease.keys do
    local entry = redis.call('HGET', lock_of(lease, place), id)
    if entry then
      leave(lock_of(lease, place), id, entry)
    end
  end
end

local function first_ask()
  local lease = new_lease()
  forget_itself(lease)
  local blocked, next_expiry = take_or_wait(lease, 1)
  if not blocked then
    grant(lease, now + lease.term)
    return granted(lease)
  end
  if waits then
    lease.expiry = now + lease.patience
    join_queue(lease, blocked, 'process:' .. lease.process, text(lease.expiry) .. ' ' .. text(lease.patience))
    save(lease)
    return queued(lease, next_expiry)
  end
  local blockers = describe_blockers(lease.keys[blocked], lease.modes[blocked], id)
  release_locks(lease, blocked - 1)
  serve_freed()
  return {'busy', blocked, unpack(blockers)}
end

-- Moves a waiting lease on if that is possible; returns it as it is afterwards, and when that may change. It is the first in a queue that
-- removes expired holders; the others look whether the first one does.
local function attend(lease)
  local key, mode = lease.keys[lease.at], lease.modes[lease.at]
  if redis.call('ZADD', queue_of(lease), lease.token, member_of(lease)) == 1 then -- removed by hand
    recount(key)
  end
  local first = read_first(key)
  if first and first.id ~= id and first.expiry >= now + first.patience - ask_again_within then
    return lease, math.huge
  end
  local held, next_expiry = remove_expired_holders(key, mode, id)
  add_freed(key)
  serve_freed()
  lease = find_lease(id)
  if first and first.id == id and not held and lease.at > 0 and lease.keys[lease.at] == key then -- only counts are in its way
    recount(key)
    serve_freed()
    lease = find_lease(id)
  end
  return lease, budget > 0 and next_expiry or now
end

local function ask_again(lease)
  allow_full_memory()
  lease.request = request_text() -- the call site may be known by now
  lease.expiry = math.max(lease.expiry, now + (lease.at == 0 and lease.term or lease.patience))
  save(lease)
  if lease.at == 0 then
    return granted(lease)
  end
  local next_expiry
  lease, next_expiry = attend(lease)
  if lease.at == 0 then
    lease.expiry = now + lease.term
    save(lease)
    return granted(lease)
  end
  if waits then
    return queued(lease, next_expiry)
  end
  local place = lease.at
  local blockers = describe_blockers(lease.keys[place], lease.modes[place], id)
  remove(lease)
  serve_freed()
  return {'busy', place, unpack(blockers)}
end

local lease = find_lease(id)
if lease and (has_expired(lease) or lease.at > 0 and is_of_earlier_generation(lease)) then
  remove(lease)
  serve_freed()
  lease = nil
end
return lease and ask_again(lease) or first_ask()
