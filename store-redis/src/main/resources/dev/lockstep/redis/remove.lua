-- Removes a namespace without leases. Returns whether it is gone. Each field by itself and no DEL: a server
-- that never saw one grants a new namespace's first lock without a wait.
-- Needs generation.lua.

if redis.call('HLEN', memory .. ':leases') > 0 then
  return {0}
end
for _, key in ipairs({memory, memory .. ':kinds', memory .. ':numbers'}) do
  local fields = redis.call('HGETALL', key)
  for i = 1, #fields, 2 do
    redis.call('HDEL', key, fields[i])
  end
end
return {1}
