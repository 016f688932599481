-- Leaves the namespace as a restart does from a snapshot that is older than all its leases: no lease is known, and what the namespace knows of
-- itself was written by another run. Nothing is granted here: the next call finds out, and begins a new generation.
-- Needs generation.lua, modes.lua and locks.lua.

local records = redis.call('HGETALL', leases)
for i = 1, #records, 2 do
  remove(read_lease(records[i], records[i + 1]))
end
if redis.call('EXISTS', memory) == 1 then
  redis.call('HSET', memory, 'run', string.rep('0', 40))
end
return {#records / 2}
