package dev.lockstep.redis;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** Who waits for whom on a single server, which shows it in one step. */
record ServerWaitGraph(Servers servers, Partition partition) implements WaitGraph {
    private static final String MOST_WAITS = "500";

    @Override
    public CompletionStage<Map<String, Wait>> around(String lease) {
        return servers.call(partition, Script.LOOK, lease, MOST_WAITS).thenApply(ServerWaitGraph::read);
    }

    @Override
    public boolean isOneMoment() {
        return true;
    }

    private static Map<String, Wait> read(List<Object> reply) {
        Map<String, Wait> waits = new LinkedHashMap<>();
        for (int i = 0; i < reply.size(); ) {
            String id = (String) reply.get(i);
            LeaseRecord record = LeaseRecord.read(id, (String) reply.get(i + 1));
            int count = number(reply.get(i + 2));
            i += 3;
            List<Blocker> blockers = new ArrayList<>();
            for (int b = 0; b < count; b++) {
                int inner = number(reply.get(i + 2));
                List<String> heldUpBy = new ArrayList<>();
                reply.subList(i + 3, i + 3 + inner).forEach(each -> heldUpBy.add((String) each));
                String mode = (String) reply.get(i + 1);
                boolean waiting = mode.startsWith("+");
                blockers.add(new Blocker(
                        (String) reply.get(i),
                        LeaseRecord.mode(waiting ? mode.substring(1) : mode),
                        waiting,
                        heldUpBy));
                i += 3 + inner;
            }
            waits.put(id, new Wait(record, blockers));
        }
        return waits;
    }

    private static int number(Object integer) {
        return Math.toIntExact((Long) integer);
    }
}
