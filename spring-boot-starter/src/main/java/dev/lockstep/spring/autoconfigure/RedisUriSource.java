package dev.lockstep.spring.autoconfigure;

import io.lettuce.core.RedisURI;

/** Knows where the application's own Redis server is. */
@FunctionalInterface
interface RedisUriSource {
    RedisURI uri();
}
