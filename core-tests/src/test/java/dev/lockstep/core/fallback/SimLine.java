package dev.lockstep.core.fallback;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import java.util.List;
import java.util.function.Supplier;

/** The way of one process to one server: cut or whole, and slow in both directions, so that time passes and others act in between. */
final class SimLine {
    private final SimWorld world;
    private final SimProcess process;
    private final SimServer server;
    boolean cut;

    SimLine(SimWorld world, SimProcess process, SimServer server) {
        this.world = world;
        this.process = process;
        this.server = server;
    }

    /** A call that may be lost on its way there, or whose answer may be lost or late on its way back. */
    <T> T call(Supplier<T> action) {
        world.delay(process);
        requireWhole();
        T answer = action.get();
        world.delay(process);
        requireWhole();
        return answer;
    }

    private void requireWhole() {
        if (cut || server.down) {
            throw new LockException(ErrorCode.STORE_UNAVAILABLE, server.name + " can't be reached", List.of(), null);
        }
    }
}
