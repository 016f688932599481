package dev.lockstep.redis;

import io.lettuce.core.api.StatefulRedisConnection;
import java.util.concurrent.CompletionStage;

/** The name by which an administrator finds Lockstep's connections in {@code CLIENT LIST}. */
final class ClientName {
    private static final String NAME = "lockstep";

    private ClientName() {}

    /** A user that may not set it locks without a name. */
    static void set(StatefulRedisConnection<String, String> connection) {
        CompletionStage<?> unused = connection.async().clientSetname(NAME);
    }
}
