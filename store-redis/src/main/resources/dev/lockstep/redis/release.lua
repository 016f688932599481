-- Ends a lease: gives back its locks in reverse order, or takes it out of the queue, and lets in who waited for it.
--
-- ARGV[3] the lease's id, ARGV[4] the caller's process, ARGV[5] ... mode, key of each lock.
-- The lease's record, and its expiry if it is granted, were read in unawaited.lua.
-- Answers 1 if the lease was held until now, else 0, and then id, token of each lease of the caller's process that was let in.

told_process = ARGV[4]
remove(read_lease(ARGV[3], record))
serve_freed()
table.insert(told, 1, expiry and tonumber(expiry) > now and 1 or 0)
return told
