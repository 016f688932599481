-- Removes leases that are over and that nobody asks for any more: some at a time, so that no call takes long.
--
-- ARGV[3] where the last call stopped, or 0. Answers where the next one goes on, or 0 at the end.

local scanned = redis.call('HSCAN', leases, ARGV[3], 'COUNT', 100)
for i = 1, #scanned[2], 2 do
  local lease = expiry_of(scanned[2][i + 1]) <= now and find_lease(scanned[2][i])
  if lease then -- it may have gone with one before it
    remove(lease)
  end
end
serve_freed()
return {scanned[1]}
