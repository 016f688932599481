package dev.lockstep.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Which leases wait for which on a single server, which finds a cycle in one step. */
record ServerWaitGraph(Servers servers, Partition partition) implements RedisWaitGraph {
    /** A server is busy for about a millisecond with this many. */
    private static final String MOST_LEASES = "2000";

    private static final int WORDS_IN_A_STEP = 4;

    @Override
    public CompletionStage<List<Step>> cycleOf(String lease) {
        return servers.call(partition, Script.LOOK, lease, MOST_LEASES).thenApply(ServerWaitGraph::read);
    }

    @Override
    public boolean isOneMoment() {
        return true;
    }

    private static List<Step> read(List<Object> reply) {
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i + WORDS_IN_A_STEP <= reply.size(); i += WORDS_IN_A_STEP) {
            StoredLease waiting = StoredLease.read((String) reply.get(i), (String) reply.get(i + 1));
            steps.add(new Step(waiting, Blocker.read((String) reply.get(i + 2), (String) reply.get(i + 3))));
        }
        return steps;
    }
}
