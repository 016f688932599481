package dev.lockstep.redis;

import dev.lockstep.testservers.TestServer;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** Runs the store's scripts one by one, as a process of a given name, and counts the commands that they call. */
final class ScriptCaller implements AutoCloseable {
    private static final String LONGEST = Long.toString(NamespaceGeneration.micros(Duration.ofSeconds(30)));

    private final RedisAdmin admin;
    private final String memory;
    private final String birth;
    private int leases;

    /** In a namespace that exists. */
    ScriptCaller(TestServer server, Realm realm) {
        admin = new RedisAdmin(server);
        memory = realm.memory();
        birth = (String) admin.run("HGET " + memory + " birth").get(0);
    }

    String newLease() {
        return "00000000-0000-0000-0000-%012d".formatted(++leases);
    }

    List<Object> run(Script script, String... arguments) {
        List<String> words = new ArrayList<>(List.of("EVAL", script.text(), "1", memory, LONGEST, "0"));
        words.addAll(List.of(arguments));
        return admin.send(words.toArray(String[]::new)).join();
    }

    /** Asks for locks inside another lease. */
    void acquireNestedIn(String outer, String lease, String... locks) {
        String micros = Long.toString(NamespaceGeneration.micros(Duration.ofSeconds(30)));
        String[] request = {birth, lease, "1", "p", micros, micros, "owner", "", outer};
        run(Script.ACQUIRE, Stream.concat(Stream.of(request), Stream.of(locks)).toArray(String[]::new));
    }

    String firstInQueue(String key) {
        String member = (String)
                admin.run("ZRANGE " + memory + ":queue:" + key + " 0 0").get(0);
        return member.substring(member.indexOf(' ') + 1);
    }

    /** How long a granted lease lasts from its grant on. */
    Duration lastsFor(String lease) {
        String record =
                (String) admin.run("HGET " + memory + ":leases " + lease).get(0);
        String[] lines = record.split("\n", -1);
        return Duration.of(Long.parseLong(lines[1]) - Long.parseLong(lines[3]), ChronoUnit.MICROS);
    }

    /** The names of what the namespace knows of itself. */
    List<Object> fields() {
        return admin.run("HKEYS " + memory);
    }

    /** Lets a granted lease have expired. */
    void letExpire(String lease) {
        String leases = memory + ":leases";
        String record = (String) admin.run("HGET " + leases + " " + lease).get(0);
        String expired = record.replaceFirst("^0\n\\d+", "0\n1");
        admin.send("HSET", leases, lease, expired).join();
    }

    /** Waits until this much time has passed by the server's clock. */
    void awaitMillis(int millis) {
        long end = serverMicros() + 1_000L * millis;
        Awaitility.await()
                .atMost(Duration.ofMillis(millis).plusMinutes(2))
                .pollInterval(Duration.ofMillis(10))
                .until(() -> serverMicros() > end);
    }

    private long serverMicros() {
        List<Object> time = admin.run("TIME");
        return Long.parseLong((String) time.get(0)) * 1_000_000 + Long.parseLong((String) time.get(1));
    }

    /** Asks for locks, given as mode and key of each; answers the first word of the reply. */
    String acquire(String lease, String process, boolean waits, Duration term, Duration patience, String... locks) {
        String[] request = {
            birth,
            lease,
            waits ? "1" : "0",
            process,
            Long.toString(NamespaceGeneration.micros(term)),
            Long.toString(NamespaceGeneration.micros(patience)),
            "owner",
            "",
            ""
        };
        String[] all = Stream.concat(Stream.of(request), Stream.of(locks)).toArray(String[]::new);
        return (String) run(Script.ACQUIRE, all).get(0);
    }

    String acquire(String lease, boolean waits, String... locks) {
        return acquire(lease, "p", waits, Duration.ofSeconds(30), Duration.ofSeconds(30), locks);
    }

    List<Object> release(String lease, String process, String... locks) {
        String[] all =
                Stream.concat(Stream.of(lease, process), Stream.of(locks)).toArray(String[]::new);
        return run(Script.RELEASE, all);
    }

    /** How often a command was called, in scripts or not; all of them together for an empty name. */
    long calls(String command) {
        return admin.info("commandstats")
                .lines()
                .filter(line -> line.startsWith("cmdstat_" + command + (command.isEmpty() ? "" : ":")))
                .mapToLong(line -> Long.parseLong(line.replaceFirst("^[^:]*:calls=(\\d+),.*", "$1")))
                .sum();
    }

    @Override
    public void close() {
        admin.close();
    }
}
