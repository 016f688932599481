-- Ends a lease: releases its locks in reverse order, or takes it out of the queue, and lets in those that waited for it.
-- Needs generation.lua, modes.lua, unawaited.lua, which names the arguments and has read the lease's record, and locks.lua.
--
-- Returns 1 if the lease was held until now, else 0, and then id, token of each lease of the caller's process that was let in.

replied_process = caller
remove(read_lease(id, record))
serve_freed()
table.insert(granted_here, 1, expiry and tonumber(expiry) > now and 1 or 0)
return granted_here
