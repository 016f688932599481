package dev.lockstep.benchmarks.redis;

import dev.lockstep.benchmarks.measure.Comparison;
import dev.lockstep.benchmarks.measure.Contender;
import dev.lockstep.benchmarks.measure.RoundTrips;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.redisson.api.redisnode.RedisNode;
import org.redisson.api.redisnode.RedisNode.InfoSection;

/**
 * How often each command ran on a Redis for one lock and its release, as the server counted it.
 *
 * @param perHold the calls of each command, those that scripts make included
 */
record CommandCount(Map<String, Double> perHold) {
    private static final int ASKED = 2;
    private static final double TOLERANCE = 0.05; // what a client does from time to time falls into it, too
    private static final Pattern CALLS = Pattern.compile("calls=(\\d+)");

    /** One thread alone, on a server that has nothing else to do. */
    static CommandCount of(Contender contender, RedisNode server) throws Exception {
        RoundTrips.hold(contender, RoundTrips.WARM_UP);
        Map<String, Long> before = calls(server);
        RoundTrips.hold(contender, RoundTrips.HOLDS);
        Map<String, Double> perHold = new TreeMap<>();
        calls(server).forEach((command, calls) -> {
            long more = calls - before.getOrDefault(command, 0L);
            if (more > 0) {
                perHold.put(command, (double) more / RoundTrips.HOLDS);
            }
        });
        return new CommandCount(perHold);
    }

    private static Map<String, Long> calls(RedisNode server) {
        Map<String, Long> calls = new TreeMap<>();
        server.info(InfoSection.COMMANDSTATS).forEach((name, numbers) -> {
            Matcher matcher = CALLS.matcher(numbers);
            if (matcher.find()) {
                calls.put(name.replaceFirst("^cmdstat_", ""), Long.parseLong(matcher.group(1)));
            }
        });
        return calls;
    }

    /** Scripts that were run by the client: each is a round trip. */
    double scripts() {
        return perHold.getOrDefault("evalsha", 0.0) + perHold.getOrDefault("eval", 0.0);
    }

    List<String> row(Contender contender) {
        boolean asks = contender.name().startsWith("Lockstep");
        boolean reached = Math.abs(scripts() - ASKED) < TOLERANCE;
        return List.of(
                contender.name(),
                Comparison.number("%.3f", scripts()),
                asks ? Integer.toString(ASKED) : "",
                asks ? (reached ? "✓" : "✗") : "");
    }

    @Override
    public String toString() {
        return perHold.entrySet().stream()
                .map(each -> each.getKey() + " " + Comparison.number("%.2f", each.getValue()))
                .collect(Collectors.joining(", "));
    }
}
