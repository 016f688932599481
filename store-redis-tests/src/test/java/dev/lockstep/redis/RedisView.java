package dev.lockstep.redis;

import dev.lockstep.testservers.TestServer;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What is really in a {@link Realm} on the server, seen from outside. */
final class RedisView implements AutoCloseable {
    private final RedisAdmin admin;
    private final Realm realm;

    /** A lease's record on the server. */
    record Entry(String id, boolean waits, long expiry, long token) {}

    RedisView(TestServer server, Realm realm) {
        admin = new RedisAdmin(server);
        this.realm = realm;
    }

    List<Entry> leases() {
        List<Object> fields = admin.run("HGETALL " + realm.memory() + ":leases");
        return IntStream.range(0, fields.size() / 2)
                .mapToObj(i -> entry((String) fields.get(2 * i), (String) fields.get(2 * i + 1)))
                .toList();
    }

    private static Entry entry(String id, String record) {
        List<String> lines = record.lines().toList();
        return new Entry(id, !"0".equals(lines.get(0)), Long.parseLong(lines.get(1)), Long.parseLong(lines.get(2)));
    }

    long waiting() {
        return leases().stream().filter(Entry::waits).count();
    }

    List<Entry> held() {
        return leases().stream().filter(entry -> !entry.waits()).toList();
    }

    /** How many stores listen for hints. */
    int listeners() {
        return admin.run("PUBSUB CHANNELS " + realm.memory() + ":wake:*").size();
    }

    /** The id of the only connection that listens for hints, and its name. */
    String listener() {
        return admin.text("CLIENT LIST")
                .lines()
                .filter(line -> line.contains(" sub=1 "))
                .map(line -> line.replaceFirst("^(id=\\d+) .* (name=\\S*) .*$", "$1 $2"))
                .collect(Collectors.joining());
    }

    /** Everything in the namespace but what stays: its memory and its kinds. */
    List<Object> leftovers() {
        return admin.run("KEYS " + realm.memory() + "*").stream()
                .filter(key -> !key.equals(realm.memory()) && !key.equals(realm.memory() + ":kinds"))
                .toList();
    }

    @Override
    public void close() {
        admin.close();
    }
}
