-- Records kinds, all or none.
-- Needs generation.lua.
--
-- ARGV[3] ... prefix, definition of each kind; a definition begins with the rank and a space.
-- Returns one of
--   recorded
--   other, prefix, definition of all known kinds: one of those is different, or has the rank of a new one
--   generation, longest term, number of partitions: the caller goes by another number of partitions

generation()
local longest, partitions = agreed()
if partitions ~= select(2, terms()) then
  return {'generation', longest, partitions}
end
local kinds = memory .. ':kinds'
local known = redis.call('HGETALL', kinds)
for i = 1, #known, 2 do
  for j = 3, #ARGV, 2 do
    local same_name = known[i] == ARGV[j]
    local same_rank = string.match(known[i + 1], '^%d+ ') == string.match(ARGV[j + 1], '^%d+ ')
    if same_name ~= same_rank or (same_name and known[i + 1] ~= ARGV[j + 1]) then
      return {'other', unpack(known)}
    end
  end
end
redis.call('HSET', kinds, unpack(ARGV, 3))
return {'recorded'}
