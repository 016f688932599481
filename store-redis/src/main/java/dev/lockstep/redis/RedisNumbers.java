package dev.lockstep.redis;

import dev.lockstep.core.spi.SharedNumbers;

/** Shared numbers in a hash of the first partition. A server that lost its memory records those that it is asked for next. */
final class RedisNumbers implements SharedNumbers {
    private final Servers servers;
    private final Partition partition;

    RedisNumbers(Servers servers, Partition partition) {
        this.servers = servers;
        this.partition = partition;
    }

    @Override
    public long declare(String name, long number) {
        return Long.parseLong(call(name, Long.toString(number)));
    }

    @Override
    public boolean replace(String name, long expected, long next) {
        return call(name, Long.toString(next), Long.toString(expected)).equals(Long.toString(next));
    }

    private String call(String... arguments) {
        String doing = "Reading or changing the number '" + arguments[0] + "'";
        return (String) servers.answers()
                .await(servers.call(partition, Script.NUMBER, arguments), doing)
                .get(0);
    }
}
