package dev.lockstep.benchmarks.measure;

import dev.lockstep.testservers.TcpProxy;

/** Counts how often a lock and its release go to the server. */
public final class RoundTrips {
    public static final int WARM_UP = 200;
    public static final int HOLDS = 1_000;

    private RoundTrips() {}

    /** One thread alone, so that all is on one connection that is set up already. */
    public static double perHold(Contender contender, TcpProxy proxy) throws Exception {
        hold(contender, WARM_UP);
        long before = proxy.roundTrips();
        hold(contender, HOLDS);
        return (double) (proxy.roundTrips() - before) / HOLDS;
    }

    public static void hold(Contender contender, int times) throws Exception {
        for (int i = 0; i < times; i++) {
            contender.lockAndRelease();
        }
    }
}
