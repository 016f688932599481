package dev.lockstep.chaos;

import dev.lockstep.core.FencingToken;
import java.util.OptionalLong;

/** Where holders write: something that is never broken, so that its own order of writes can be trusted. For one thread at a time. */
interface Register extends AutoCloseable {
    /** Writes under the fencing guard; answers the write's number, which rises, or nothing when the guard refused it. */
    OptionalLong write(String thing, FencingToken token);

    /** Writes without a guard; answers the token of the write before. */
    FencingToken writeUnfenced(String thing, FencingToken token);

    @Override
    void close();
}
