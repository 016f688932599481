-- Takes all locks of a lease in order, or queues at the first that it can't have. Asking again for the same lease, which who waits does
-- from time to time, shows that it is still wanted, tells what became of it, and does what had to be done for it to move on.
--
-- ARGV[3] the birth of the life that the caller knows, ARGV[4] the lease's id, ARGV[5] 1 to wait, 0 for now or never,
-- ARGV[6] ... what goes into the record: process, term, patience, owner, call site, outer leases, and then mode, key of each lock.
--
-- Answers one of
--   granted, token
--   queued, place, microseconds after which it should ask again at the latest (or -1)
--   busy, place, and id, mode, waits, since, owner of those in the way
--   quiet, microseconds until locks are granted again, why
--   life, birth, longest term, number of partitions: the caller knows another life; it learns of this one before it gets anything

local here = life()
if here.birth ~= ARGV[3] then
  return {'life', here.birth, agreed()}
end
if here.quiet > now then
  return {'quiet', text(here.quiet - now), redis.call('HGET', memory, 'why')}
end

local id = ARGV[4]
asking_lease = id
local waits = ARGV[5] == '1'

local function new_lease()
  local lease = {
    id = id, at = 0, expiry = 0, token = '0', since = text(now), process = ARGV[6], term = tonumber(ARGV[7]),
    patience = tonumber(ARGV[8]), owner = ARGV[9], outer = ARGV[11], request = table.concat(ARGV, '\n', 6), modes = {}, keys = {}
  }
  for i = 12, #ARGV, 2 do
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

-- Takes the locks from one place on, past those whose leases are over. When one can't be had: the place, and when that may change.
local function take_or_wait(lease, from)
  local blocked = take(lease, from)
  local next_expiry = math.huge
  while blocked do
    local key = lease.keys[blocked]
    if waits and redis.call('EXISTS', memory .. ':queue:' .. key) == 1 then
      return blocked, math.huge -- those ahead see to it
    end
    local holders, waiters = others_at(key, lease.modes[blocked], id)
    if #holders + #waiters == 0 then
      recount(key)
    end
    next_expiry = remove_expired(key, holders)
    if next_expiry == math.huge then
      next_expiry = remove_expired(key, waiters)
    end
    if #freed == 0 then
      return blocked, next_expiry
    end
    serve_freed()
    blocked = take(lease, blocked)
  end
  return nil
end

-- An entry of the lease itself is left at a lock when someone has taken its record away by hand.
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
    join_queue(lease, blocked)
    save(lease)
    return queued(lease, next_expiry)
  end
  local blockers = describe_blockers(lease.keys[blocked], lease.modes[blocked], id)
  give_back(lease, blocked - 1)
  serve_freed()
  return {'busy', blocked, unpack(blockers)}
end

-- Whether a lease has not been asked for as often as those who wait ask.
local function is_overdue(other, patience)
  local record = redis.call('HGET', leases, other)
  return not record or expiry_of(record) < now + patience - 1500000
end

-- Moves a waiting lease on if it can; answers it as it is afterwards, and when that may change. It is the first in a queue who sees to it that
-- holders which are over go; the others look whether the first does.
local function attend(lease)
  local key = lease.keys[lease.at]
  redis.call('ZADD', queue_of(lease), lease.token, id) -- it is there, unless someone has taken it away by hand
  local first = redis.call('ZRANGE', memory .. ':queue:' .. key, 0, 0)[1]
  local next_expiry = math.huge
  if first == id or is_overdue(first, lease.patience) then
    local holders = others_at(key, lease.modes[lease.at], id)
    if #holders == 0 then
      recount(key)
    end
    next_expiry = remove_expired(key, holders)
    freed[#freed + 1] = key
    serve_freed()
  end
  return find_lease(id), next_expiry
end

local function ask_again(lease)
  lease.request = table.concat(ARGV, '\n', 6) -- the call site may be known by now
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
if lease and lease.expiry <= now then
  remove(lease)
  serve_freed()
  lease = nil
end
return lease and ask_again(lease) or first_ask()
