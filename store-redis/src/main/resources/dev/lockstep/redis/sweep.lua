-- Removes expired leases that no request meets any more: some at a time, so that no call takes long, and in one process at a time, so that
-- the work doesn't grow with their number.
-- Needs generation.lua, modes.lua and locks.lua.
--
-- ARGV[3] where the last call stopped, or 0 to begin, ARGV[4] the caller's process, ARGV[5] how long it takes until another round may begin.
-- Returns where the next call continues, or 0 at the end or while another process does this.

local cursor, caller, pause = ARGV[3], ARGV[4], tonumber(ARGV[5])
local leases_in_a_call = 100

-- Whether this call is next: the caller's round continues, or the last round is long enough ago. The clock may have been set back.
local function is_next()
  local sweeper, at = string.match(redis.call('HGET', memory, 'sweeper') or '', '^(%S+) (%d+)$')
  if cursor ~= '0' and sweeper == caller then return true end
  at = tonumber(at or 0)
  return at <= now - pause or at > now
end

-- When a lease expires at the latest, unless the clock was set back since it was granted or asked for.
local function limit_of(lease, longest)
  return now + (lease.at == 0 and longest or lease.patience)
end

-- Forgets processes that send no heartbeats any more.
local function forget_processes()
  local entries, alive = redis.call('HGETALL', memory), {}
  for i = 1, #entries, 2 do
    local process = string.match(entries[i], '^process:(.*)$')
    if process then
      local kept_until, patience = string.match(entries[i + 1], '^(%d+) (%d+)$')
      alive[process] = kept_until and kept_until - now > 0 and kept_until - now <= tonumber(patience)
      if not alive[process] then
        redis.call('HDEL', memory, entries[i])
      end
    end
  end
  for i = 1, #entries, 2 do
    local process = string.match(entries[i], '^granted:(.*)$')
    if process and not alive[process] then
      redis.call('HDEL', memory, entries[i])
    end
  end
end

-- Removes a lease if it has expired. It may be gone already, with one before it.
local function examine(id, longest)
  local lease = find_lease(id)
  if lease and has_expired(lease) then
    remove(lease)
  elseif lease and lease.expiry > limit_of(lease, longest) then
    lease.expiry = limit_of(lease, longest)
    save(lease)
  end
end

if redis.call('EXISTS', memory) == 0 or not is_next() then
  return {'0'}
end
allow_full_memory()
redis.call('HSET', memory, 'sweeper', caller .. ' ' .. text(now))
local longest = tonumber((agreed()) or math.huge)
if cursor == '0' then
  forget_processes()
end
local scanned = redis.call('HSCAN', leases, cursor, 'COUNT', leases_in_a_call)
for i = 1, #scanned[2], 2 do
  local expiry = tonumber(string.match(scanned[2][i + 1], '\n(%d+)'))
  if expiry <= now or expiry > now + longest then
    examine(scanned[2][i], longest)
  end
end
serve_freed()
return {scanned[1]}
