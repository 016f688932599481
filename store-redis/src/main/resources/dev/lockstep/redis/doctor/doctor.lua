-- Tries, for the doctor, every command that the store's scripts use, and leaves nothing behind: what takes away comes first, and only
-- what may take away adds. No DEL and no EXPIRE: a server that never saw one grants a new namespace's first lock without a wait.
--
-- KEYS[1] the namespace's memory, ARGV[1] a suffix for keys and a field that are not used otherwise, ARGV[2] a channel.
-- Returns name, 'ok' or the refusal, of each command.

local answers = {}

local function try(name, ...)
  local answer = redis.pcall(name, ...)
  local refusal = type(answer) == 'table' and answer.err
  answers[#answers + 1] = name
  answers[#answers + 1] = refusal or 'ok'
  return not refusal
end

local hash, queue, set = KEYS[1] .. ARGV[1] .. ':hash', KEYS[1] .. ARGV[1] .. ':queue', KEYS[1] .. ARGV[1] .. ':set'

-- Adds nothing. It comes before all other writes: after the first, Redis no longer minds that its memory is full.
try('ZADD', queue, 'XX', 1, 'a')

try('TIME')
try('INFO', 'server')
try('EXISTS', KEYS[1])
try('HMGET', KEYS[1], 'run')
try('HLEN', KEYS[1])

if try('HDEL', KEYS[1], ARGV[1]) and try('HDEL', hash, 'a') then
  try('HSET', hash, 'a', '1')
  try('HINCRBY', hash, 'b', 1)
  redis.pcall('HDEL', hash, 'a', 'b')
end
try('HGET', hash, 'a')
try('HGETALL', hash)
try('HSCAN', hash, 0)

try('ZREM', queue, 'a')
try('ZRANGE', queue, 0, 0)
try('ZRANK', queue, 'a')

if try('SREM', set, 'a') then
  try('SADD', set, 'a')
  redis.pcall('SREM', set, 'a')
end
try('SMEMBERS', set)

try('PUBLISH', ARGV[2], 'doctor')
return answers
