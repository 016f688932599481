-- Begins the first generation of a namespace without a wait, on the caller's assurance that it is unused. Does nothing when it exists.
-- Needs generation.lua.

if redis.call('EXISTS', memory) == 0 then
  local server = redis.call('INFO', 'server')
  agree(server)
  redis.call('HSET', memory, 'run', string.match(server, 'run_id:(%x+)'), 'former', former_master(redis.call('INFO', 'replication')),
      'birth', text(now), 'began', text(now), 'quiet', '0', 'last', text(now), 'why', 'created')
end
return {1}
