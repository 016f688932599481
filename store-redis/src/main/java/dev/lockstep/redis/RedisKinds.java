package dev.lockstep.redis;

import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.KindRegistry;
import dev.lockstep.core.Kinds;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKind;
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

    private final RedisLink link;
    private final Life life;
    private final Namespace namespace;
    private final KindRegistry own = new KindRegistry();

    RedisKinds(RedisLink link, Life life, Namespace namespace) {
        this.link = link;
        this.life = life;
        this.namespace = namespace;
    }

    /** Records kinds on the server; refuses those that were declared differently before. */
    void declare(List<KindDefinition> definitions) {
        if (definitions.stream().allMatch(each -> own.find(each.prefix()).equals(Optional.of(each)))) {
            return;
        }
        List<KindDefinition> known = link.await(send(definitions), "Declaring kinds");
        if (!known.isEmpty()) {
            requireSame(known, definitions);
        }
        own.declare(definitions);
    }

    private static void requireSame(List<KindDefinition> known, List<KindDefinition> declared) {
        KindRegistry both = new KindRegistry();
        both.declare(known);
        both.declare(declared);
    }

    /** Answers what is known there when it contradicts; nothing when all is well. */
    private CompletionStage<List<KindDefinition>> send(List<KindDefinition> definitions) {
        List<String> arguments = new ArrayList<>(List.of(life.longest(), life.greatest()));
        for (KindDefinition each : definitions) {
            arguments.add(each.prefix());
            arguments.add(text(each));
        }
        return link.call(Script.DECLARE, arguments.toArray(String[]::new)).thenApply(RedisKinds::definitions);
    }

    private static List<KindDefinition> definitions(List<Object> reply) {
        List<KindDefinition> definitions = new ArrayList<>();
        for (int i = 0; i + 1 < reply.size(); i += 2) {
            definitions.add(read((String) reply.get(i), (String) reply.get(i + 1)));
        }
        return definitions;
    }

    /** Tells a server that lost its memory what it knew of this process. */
    CompletionStage<Void> declareAgain() {
        List<KindDefinition> definitions = own.definitions();
        if (definitions.isEmpty()) {
            return CompletableFuture.completedStage(null);
        }
        return send(definitions).thenAccept(known -> {
            try {
                requireSame(known, definitions);
            } catch (LockException e) {
                LOG.error(
                        "While Redis had lost its memory, another process declared a kind of namespace '{}' differently. They don't"
                                + " exclude each other: stop one of them. {}",
                        namespace.name(),
                        e.getMessage());
                throw e;
            }
        });
    }

    // ---- reading them

    /** All kinds of the namespace, to read keys with. */
    Kinds all() {
        return link.await(read(), "Reading kinds");
    }

    CompletionStage<Kinds> read() {
        return link.send(redis -> redis.hgetall(namespace.kinds())).thenApply(RedisKinds::kinds);
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
