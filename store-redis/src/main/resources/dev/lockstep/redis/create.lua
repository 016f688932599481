-- Begins the first life of a namespace without a wait, on the caller's word that nobody has used it before. Does nothing when it exists.

if redis.call('EXISTS', memory) == 0 then
  local server = redis.call('INFO', 'server')
  agree(tonumber((terms())), server)
  redis.call('HSET', memory, 'run', string.match(server, 'run_id:(%x+)'),
      'former', string.match(redis.call('INFO', 'replication'), 'master_replid2:(%x+)') or '-',
      'birth', text(now), 'quiet', text(now), 'last', text(now), 'why', 'created')
end
return {1}
