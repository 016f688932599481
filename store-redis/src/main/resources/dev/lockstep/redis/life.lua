-- What a namespace, or a partition of one in a cluster, knows of itself: the hash KEYS[1], such as lockstep:{orders}, in which
--   run      the run_id of the server that wrote it
--   former   whose replica that server had been, if it had (its master_replid2)
--   birth    when this life of the namespace began
--   quiet    until when no lock is granted in this life
--   longest  the longest term of a lease
--   partitions  in a cluster, into how many the namespace is cut; else empty
--   last     the last number given out, as a token or as a place in a queue
--   why      what began this life: 'created', 'new', 'young', 'missing' or 'restart'
-- Every other key begins with KEYS[1]. All times are microseconds of this server's clock.
--
-- A server that was restarted, emptied or replaced by its replica, or that was given a slot of a cluster, may have forgotten leases that
-- their holders still count on. It can't know which. So the first call that finds the hash missing, or written by another run, begins a new
-- life, in which no lock is granted before every lease of an earlier one must be over.
--
-- ARGV[1] longest term, in a cluster with a space and the number of partitions behind it, ARGV[2] the greatest number that the caller has seen.

local memory = KEYS[1]

-- While a slot of a cluster is on its way to another node, some of its keys are here and some there, and asking for one that isn't here is
-- an error. Better now, by asking for one that is nowhere, than half-way: what a script has done until then stays done.
if string.find(ARGV[1], ' ', 1, true) then
  redis.call('EXISTS', memory .. ':nowhere')
end

local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]

-- Lua would write 1.8e+15.
local function text(number)
  return string.format('%.0f', number)
end

-- What has no way to drop or replace a key as a whole. (Lockstep's own keys go when they are empty.)
local harmless = [[ ping echo hello auth select client command info time dbsize role lastsave slowlog latency memory acl config|get quit reset
    eval evalsha eval_ro evalsha_ro script subscribe unsubscribe psubscribe punsubscribe publish pubsub monitor save bgsave bgrewriteaof wait
    get mget exists type ttl pttl object keys scan hget hmget hgetall hkeys hvals hlen hexists hscan hset hincrby hdel
    zadd zrem zrange zrank zscore zcard sadd srem smembers scard ]]

-- Whether this server may have been told, since it was started, to drop or replace a key. If not, a namespace that is missing was never
-- there, at least since then.
local function may_have_dropped_keys()
  for command in string.gmatch(redis.call('INFO', 'commandstats'), 'cmdstat_([^:]+):') do
    local name = string.match(command, '^config|get$') or string.match(command, '^[^|]+')
    if not string.find(harmless, '%s' .. string.gsub(name, '%p', '%%%0') .. '%s') then
      return true
    end
  end
  return not string.find(redis.call('INFO', 'stats'), 'evicted_keys:0', 1, true)
end

-- Whether this server has been another one's replica since it knew this life. Then it may have this life back from that one's copy.
local function was_replica(replication, former)
  return not string.find(replication, 'master_replid2:' .. (former or ''), 1, true)
      and not string.find(replication, 'master_replid2:0000000000', 1, true)
end

-- How long leases of earlier lives may last from now on, and why.
local function quiet_time(known, server, longest)
  if known[1] then
    return longest, 'restart'
  end
  if may_have_dropped_keys() then
    return longest, 'missing'
  end
  local uptime = (tonumber(string.match(server, 'uptime_in_seconds:(%d+)')) - 1) * 1000000
  return math.max(0, longest - uptime), uptime < longest and 'young' or 'new'
end

-- What the caller believes that all agree on: the longest term, and how many partitions there are.
local function terms()
  return string.match(ARGV[1], '^(%d+) ?(%d*)$')
end

-- Records what all have to agree on; what was recorded before stays.
local function agree(longest, server)
  local _, partitions = terms()
  if partitions == '' and string.find(server, 'redis_mode:cluster', 1, true) then
    error('this is a node of a Redis Cluster, which keeps only a part: write RedisLockStore.cluster(...)')
  end
  redis.call('HSET', memory, 'longest', text(longest), 'partitions', redis.call('HGET', memory, 'partitions') or partitions)
end

local function begin_life(known, server, replication)
  local longest = math.max(tonumber((terms())), tonumber(redis.call('HGET', memory, 'longest') or 0))
  local birth = math.max(now, tonumber(known[4] or 0) + 1, tonumber(ARGV[2]) + 1)
  local quiet, why = quiet_time(known, server, longest)
  agree(longest, server)
  redis.call('HSET', memory, 'run', string.match(server, 'run_id:(%x+)'), 'birth', text(birth), 'quiet', text(now + quiet),
      'former', string.match(replication, 'master_replid2:(%x+)') or '-', 'last', text(birth), 'why', why)
  return {birth = text(birth), quiet = now + quiet, last = birth}
end

local known_life

-- What was recorded of that, for a caller to compare.
local function agreed()
  local recorded = redis.call('HMGET', memory, 'longest', 'partitions')
  return recorded[1], recorded[2] or ''
end

-- The life that the namespace is in. Asking may begin a new one.
local function life()
  if not known_life then
    local known = redis.call('HMGET', memory, 'run', 'birth', 'quiet', 'last', 'former')
    local server, replication = redis.call('INFO', 'server'), redis.call('INFO', 'replication')
    if known[1] and string.find(server, 'run_id:' .. known[1], 1, true) and not was_replica(replication, known[5]) then
      known_life = {birth = known[2], quiet = tonumber(known[3]), last = tonumber(known[4])}
    else
      known_life = begin_life(known, server, replication)
    end
  end
  return known_life
end

-- A number above all that were given out before, in this life and in those that any caller remembers.
local function next_number()
  local last = math.max(life().last + 1, tonumber(ARGV[2]) + 1, now)
  known_life.last = last
  redis.call('HSET', memory, 'last', text(last))
  return last
end

-- Makes all later numbers greater than any that the caller has seen.
local function raise_last()
  if life().last < tonumber(ARGV[2]) then
    known_life.last = tonumber(ARGV[2])
    redis.call('HSET', memory, 'last', ARGV[2])
  end
end
