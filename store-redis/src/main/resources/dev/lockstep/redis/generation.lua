-- What a namespace, or a partition of one in a cluster, knows of itself: the hash KEYS[1], such as lockstep:{orders}, in which
--   format      the version of the data format
--   run         the run_id of the server that wrote it
--   history     on a single server, run and the server's master_replid, by which a master is recognised (has_same_history)
--   former      the server's master_replid2: the replication id of the master that it was a replica of, or zeros
--   birth       when this generation of the namespace began; lower than every number given out in it
--   began       the reading of the clock at that time
--   quiet       until when no lock is granted in this generation; 0 once that time has passed
--   longest     the longest term of a lease
--   partitions  in a cluster, the number of partitions of the namespace; else empty
--   last        the last number given out, as a token or as a place in a queue
--   why         what began this generation: 'created', 'new', 'young', 'missing' or 'restart'
--   process:<p> until when the waiting leases of process p keep their places, and its patience (heartbeat.lua)
--   granted:<p> leases that were granted to process p since its last heartbeat, separated by spaces
--   sweeper     the process that removes expired leases, and when it last did (sweep.lua)
-- Every other key begins with KEYS[1]. All times are microseconds of this server's clock.
--
-- A server that was restarted, emptied or replaced by its replica, or that was given a slot of a cluster, may have forgotten leases that
-- their holders still count on. It can't know which. So the first call that finds the hash missing, or written by another run, begins a new
-- generation, in which no lock is granted before every lease of an earlier one must have expired.
--
-- ARGV[1] longest term, in a cluster with a space and the number of partitions behind it, ARGV[2] the greatest number that the caller has seen.

local own_terms, greatest_seen = ARGV[1], tonumber(ARGV[2])
local format = '1'
local memory = KEYS[1]

-- While a slot of a cluster is on its way to another node, some of its keys are here and some there, and asking for one that isn't here is
-- an error. Better now, by asking for one that is nowhere, than half-way: what a script has done until then stays done.
if string.find(own_terms, ' ', 1, true) then
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

-- Whether this server may have executed, since it was started, a command that drops or replaces a key. If not, a namespace that is missing was never
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

-- Redis refuses a script's first write when its memory is full, unless it is one that can only free memory; it accepts all that follow. So a
-- script that must not fail then begins with such a write.
local function allow_full_memory()
  redis.call('HDEL', memory, 'none')
end

-- Whose replica the server has been: without that, a master that was a replica in between looks like one that never was.
local function former_master(replication)
  return string.match(replication, 'master_replid2:(%x+)')
      or error('the server reports no master_replid2 (INFO replication), so that lost locks could go unnoticed: use Redis or Valkey')
end

-- Whether this server has been another one's replica since it knew this generation. Then it may have this generation back from that one's copy.
local function was_replica(replication, former)
  local master = former_master(replication)
  return former and master ~= former and not string.find(master, '^0000000000')
end

-- The run and the replication id of a master, as one text. None in a cluster: a replica that is restarted there has its master's replication id, and
-- calls itself a master, until it has joined. Zeros are no id.
local function history_of(run, replication)
  local id = string.find(replication, 'role:master', 1, true) and string.match(replication, 'master_replid:(%x+)')
  return id and not string.find(id, '^0000000000') and not string.find(own_terms, ' ', 1, true) and run .. ' ' .. id
end

-- Whether the server is the one that recorded this generation, and has been a master ever since. It is asked at every call, so that no grant rests on what
-- was true earlier, but with one INFO instead of two.
-- A server draws a random replication id when it starts and whenever it stops being a replica, and has the id of another server only while it is a replica.
-- So a master with the recorded id has not been restarted, and has not been a replica in between: it would have drawn another id. Nor is it a copy
-- of the server that recorded it: copies are replicas, or have drawn another id.
-- Another id proves nothing, since a master also draws one when its first replica comes and some time after the last one went: then
-- run_id and master_replid2 decide (is_same_server).
local function has_same_history(known, replication)
  return known[8] and known[8] == history_of(known[1], replication)
end

-- How long leases of earlier generations may last from now on, and why.
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
  return string.match(own_terms, '^(%d+) ?(%d*)$')
end

-- Records what all have to agree on; what was recorded before stays.
local function agree(server)
  local longest, partitions = terms()
  if partitions == '' and string.find(server, 'redis_mode:cluster', 1, true) then
    error('this is a node of a Redis Cluster, which keeps only a part: write RedisLockStore.cluster(...)')
  end
  local recorded = redis.call('HMGET', memory, 'longest', 'partitions')
  redis.call('HSET', memory, 'format', format, 'longest', recorded[1] or longest, 'partitions', recorded[2] or partitions)
end

local function begin_generation(known, server, replication)
  local longest = math.max(tonumber((terms())), tonumber(redis.call('HGET', memory, 'longest') or 0))
  local birth = math.max(now, tonumber(known[4] or 0) + 1, greatest_seen + 1)
  local quiet, why = quiet_time(known, server, longest)
  local run = string.match(server, 'run_id:(%x+)')
  agree(server)
  redis.call('HSET', memory, 'run', run, 'birth', text(birth), 'began', text(now), 'quiet', text(now + quiet),
      'former', former_master(replication), 'last', text(birth), 'why', why, 'history', history_of(run, replication) or '')
  return {birth = text(birth), quiet = now + quiet, last = birth}
end

-- Until when nothing is granted in a generation that is known. A clock that was set back before the beginning of that time would prolong it by as
-- much; the time begins again then, and does not return once it has passed.
local function quiet_until(quiet, began)
  if quiet == 0 then return 0 end
  if quiet <= now then
    quiet = 0
    redis.call('HSET', memory, 'quiet', '0')
  elseif now < began then
    quiet = now + quiet - began
    redis.call('HSET', memory, 'quiet', text(quiet), 'began', text(now))
  end
  return quiet
end

local known_generation

-- What was recorded of that, for a caller to compare.
local function agreed()
  local recorded = redis.call('HMGET', memory, 'longest', 'partitions')
  return recorded[1], recorded[2] or ''
end

-- The same by run_id and master_replid2. The replication id is recorded then.
local function is_same_server(known, replication)
  if not string.find(redis.call('INFO', 'server'), 'run_id:' .. known[1], 1, true) or was_replica(replication, known[5]) then
    return false
  end
  local history = history_of(known[1], replication)
  if history then
    allow_full_memory()
    redis.call('HSET', memory, 'history', history)
  end
  return true
end

-- The generation that the namespace is in. Asking may begin a new one.
local function generation()
  if not known_generation then
    local known = redis.call('HMGET', memory, 'run', 'birth', 'quiet', 'last', 'former', 'began', 'format', 'history')
    if known[1] and known[7] ~= format then
      error('the namespace has data of format ' .. (known[7] or 'none') .. ', and this version of Lockstep reads format ' .. format
          .. ': end all processes that use the namespace, delete its keys (' .. memory .. '*), and start them with one version')
    end
    local replication = redis.call('INFO', 'replication')
    if known[1] and (has_same_history(known, replication) or is_same_server(known, replication)) then
      known_generation = {birth = known[2], quiet = quiet_until(tonumber(known[3]), tonumber(known[6])), last = tonumber(known[4])}
    else
      known_generation = begin_generation(known, redis.call('INFO', 'server'), replication)
    end
  end
  return known_generation
end

-- A number above all that were given out before, in this generation and in those that any caller remembers. More fields and values may be
-- recorded with it.
local function next_number(...)
  local last = math.max(generation().last + 1, greatest_seen + 1, now)
  known_generation.last = last
  redis.call('HSET', memory, 'last', text(last), ...)
  return last
end

-- Makes all later numbers greater than any that the caller has seen.
local function raise_last()
  if generation().last < greatest_seen then
    known_generation.last = greatest_seen
    redis.call('HSET', memory, 'last', ARGV[2])
  end
end
