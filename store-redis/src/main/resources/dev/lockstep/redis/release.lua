-- Ends a lease: releases its locks in reverse order, or takes it out of the queue, and lets in those that waited for it.
-- Needs generation.lua, modes.lua, unawaited.lua, which names the arguments and has read the lease's record, and locks.lua.
--
-- Returns 1 if the lease was held until now, else 0, and then id, token, and the id of the one that it succeeds, or nothing, of each lease of the
-- caller's process that was let in.

replied_process = caller
local lease = read_lease(id, record)
remove(lease)
serve_freed()

-- What is left of a run has a first one again; its process may not know.
if #granted_here == 0 and lease.at == 0 and #lease.keys == 1 and lease.modes[1] == 'X' then
  local first = first_of_run(lease.keys[1])
  serve_freed()
  if #granted_here == 0 and first and first.process == caller then
    first.expiry = math.max(first.expiry, now + first.term)
    save(first)
    reply_granted(first, '')
  end
end
table.insert(granted_here, 1, expiry and tonumber(expiry) > now and 1 or 0)
return granted_here
