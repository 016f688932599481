-- Takes a lease out of the queue that it waits in. One that is granted stays: another request may have been granted it meanwhile.
-- Needs generation.lua, modes.lua and locks.lua.
--
-- ARGV[3] the lease's id.

local lease = find_lease(ARGV[3])
if lease and lease.at > 0 then
  remove(lease)
  serve_freed()
end
return {1}
