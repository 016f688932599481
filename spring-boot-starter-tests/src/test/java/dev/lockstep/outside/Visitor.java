package dev.lockstep.outside;

import dev.lockstep.spring.Locked;

/** Calls locked methods from outside of Lockstep. */
public final class Visitor {
    private Visitor() {}

    /** Has a proxy made of its class. */
    public static class Desk {
        /** Serves a user. */
        @Locked(value = "user:#{#user}", within = "5m")
        public void serve(String user) {}
    }

    /** Has a proxy made of its interface. */
    public static class Window implements Counter {
        @Override
        @Locked(value = "user:#{#p0}", within = "5m")
        public void serve(String user) {}
    }

    /** Waits at a desk. */
    public static void atDesk(Desk desk) {
        desk.serve("u1");
    }

    /** Waits at a counter. */
    public static void atCounter(Counter counter) {
        counter.serve("u1");
    }
}
