-- Finds out whether locks could be granted here, apart from those that are held and from a switchover delay: the server accepts writes. Adds
-- nothing. A server that was restarted begins its switchover delay now, and not when the first lock is wanted.
-- Needs generation.lua.

redis.call('ZADD', memory .. ':ping', 'XX', 1, 'ping')
generation()
return {1}
