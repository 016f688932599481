-- Ends a lease: gives back its locks in reverse order, or takes it out of the queue, and lets in who waited for it.
--
-- ARGV[3] the lease's id, ARGV[4] the caller's process, ARGV[5] ... mode, key of each lock.
-- Answers 1 if the lease was held until now, else 0, and then id, token of each lease of the caller's process that was let in.

local record = redis.call('HGET', leases, ARGV[3])
if not record then
  return {0}
end
told_process = ARGV[4]
local at, expiry = string.match(record, '^(%d+)\n(%d+)')
if at == '0' then
  redis.call('HDEL', leases, ARGV[3])
  for i = #ARGV - 1, 5, -2 do
    leave(memory .. ':lock:' .. ARGV[i + 1], ARGV[3], ARGV[i])
    freed[#freed + 1] = ARGV[i + 1]
  end
else
  remove(find_lease(ARGV[3]))
end
serve_freed()
table.insert(told, 1, at == '0' and tonumber(expiry) > now and 1 or 0)
return told
