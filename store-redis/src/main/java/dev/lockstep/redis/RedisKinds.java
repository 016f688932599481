package dev.lockstep.redis;

import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.Kinds;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.spi.KindRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The kinds that the processes of a namespace agree on, kept on the server. */
final class RedisKinds {
    private static final Logger LOG = LoggerFactory.getLogger(RedisKinds.class);

    private final Servers servers;
    private final Partitions partitions;
    private final KindRegistry own = new KindRegistry();

    RedisKinds(Servers servers, Partitions partitions) {
        this.servers = servers;
        this.partitions = partitions;
    }

    /** Records kinds on the server; refuses those that were declared differently before. */
    void declare(List<KindDefinition> definitions) {
        if (definitions.stream().allMatch(each -> own.find(each.prefix()).equals(Optional.of(each)))) {
            return;
        }
        servers.answers().await(sendAll(definitions), "Declaring kinds").stream()
                .filter(known -> !known.isEmpty())
                .forEach(known -> requireSame(known, definitions));
        own.declare(definitions);
    }

    /** One partition decides between processes that contradict each other; else each might win some, and none all. */
    private CompletionStage<List<List<KindDefinition>>> sendAll(List<KindDefinition> definitions) {
        List<Partition> all = partitions.all();
        return send(all.get(0), definitions)
                .thenCompose(known -> known.isEmpty()
                        ? Stages.all(all.subList(1, all.size()), partition -> send(partition, definitions))
                        : CompletableFuture.completedStage(List.of(known)));
    }

    private static void requireSame(List<KindDefinition> known, List<KindDefinition> declared) {
        KindRegistry both = new KindRegistry();
        both.declare(known);
        both.declare(declared);
    }

    /** Returns what is known there when it contradicts; nothing when all is well. */
    private CompletionStage<List<KindDefinition>> send(Partition partition, List<KindDefinition> definitions) {
        List<String> arguments = new ArrayList<>();
        for (KindDefinition each : definitions) {
            arguments.add(each.prefix());
            arguments.add(text(each));
        }
        return servers.call(partition, Script.DECLARE, arguments.toArray(String[]::new))
                .thenApply(reply -> definitions(partition, reply));
    }

    private static List<KindDefinition> definitions(Partition partition, List<Object> reply) {
        if ("generation".equals(reply.get(0))) {
            partition.generation().requireSame((String) reply.get(1), (String) reply.get(2));
        }
        List<KindDefinition> definitions = new ArrayList<>();
        for (int i = 1; "other".equals(reply.get(0)) && i + 1 < reply.size(); i += 2) {
            definitions.add(read((String) reply.get(i), (String) reply.get(i + 1)));
        }
        return definitions;
    }

    /** Declares again to a server that lost its memory what it knew of this process. */
    CompletionStage<Void> declareAgain(Partition partition) {
        List<KindDefinition> definitions = own.definitions();
        if (definitions.isEmpty()) {
            return CompletableFuture.completedStage(null);
        }
        return send(partition, definitions).thenAccept(known -> {
            try {
                requireSame(known, definitions);
            } catch (LockException e) {
                LOG.error(
                        "While Redis had lost its memory, another process declared a kind of '{}' differently. They don't"
                                + " exclude each other: stop one of them. {}",
                        partition.keys().memory(),
                        e.getMessage());
                throw e;
            }
        });
    }

    // ---- reading them

    /** All kinds of the namespace, to read keys with. */
    Kinds all() {
        return servers.answers().await(read(), "Reading kinds");
    }

    /** A partition that lost its memory may not know them all. */
    CompletionStage<Kinds> read() {
        return Stages.all(
                        partitions.all(),
                        partition -> servers.send(
                                partition,
                                redis -> redis.hgetall(partition.keys().kinds())))
                .thenApply(texts -> {
                    Map<String, String> merged = new HashMap<>();
                    texts.forEach(merged::putAll);
                    return kinds(merged);
                });
    }

    private static Kinds kinds(Map<String, String> texts) {
        Map<String, KindDefinition> definitions = new HashMap<>();
        texts.forEach((prefix, text) -> definitions.put(prefix, read(prefix, text)));
        return Kinds.of(definitions.values().stream()
                .map(each -> new RecordedKind(each, definitions))
                .toArray(LockKind[]::new));
    }

    /** A kind of which only the definition is known. */
    private record RecordedKind(KindDefinition definition, Map<String, KindDefinition> all) implements LockKind {
        @Override
        public String prefix() {
            return definition.prefix();
        }

        @Override
        public int rank() {
            return definition.rank();
        }

        @Override
        public Optional<LockKind> parent() {
            return definition.parent().map(all::get).map(above -> new RecordedKind(above, all));
        }

        @Override
        public boolean leaf() {
            return definition.leaf();
        }
    }

    private static String text(KindDefinition kind) {
        return kind.rank() + " " + kind.level() + " " + (kind.leaf() ? "leaf" : "inner") + " "
                + kind.parent().orElse("-");
    }

    private static KindDefinition read(String prefix, String text) {
        String[] words = text.split(" ", -1);
        Optional<String> parent = "-".equals(words[3]) ? Optional.empty() : Optional.of(words[3]);
        return new KindDefinition(
                prefix, Integer.parseInt(words[0]), parent, Integer.parseInt(words[1]), "leaf".equals(words[2]));
    }
}
