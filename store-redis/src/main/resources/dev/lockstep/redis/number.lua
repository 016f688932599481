-- Records a number that all processes share, in the hash KEYS[1]:numbers, or replaces one.
-- Needs generation.lua.
--
-- ARGV[3] name, ARGV[4] the number, ARGV[5] the number to replace, or nothing to keep any that is there
-- Returns the number that is recorded then.

generation()
local numbers = memory .. ':numbers'
local known = redis.call('HGET', numbers, ARGV[3])
if known == (ARGV[5] or false) then
  known = ARGV[4]
  redis.call('HSET', numbers, ARGV[3], known)
end
return {known or ''}
