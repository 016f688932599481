package dev.lockstep.etcd;

import com.google.protobuf.ByteString;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.Kinds;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.spi.KindRegistry;
import dev.lockstep.etcd.rpc.KVGrpc;
import dev.lockstep.etcd.rpc.KeyValue;
import dev.lockstep.etcd.rpc.TxnRequest;
import dev.lockstep.etcd.rpc.TxnResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The kinds that the processes of a namespace agree on: one key, replaced only if it is as it was read. */
final class EtcdKinds {
    private static final Logger LOG = LoggerFactory.getLogger(EtcdKinds.class);
    private static final int MOST_ATTEMPTS = 20;

    private final EtcdClient client;
    private final ByteString key;
    private final KindRegistry own = new KindRegistry();

    /** What is recorded, and at which revision; 0 if nothing is. */
    private record Recorded(List<KindDefinition> kinds, long revision) {}

    EtcdKinds(EtcdClient client, EtcdNamespace namespace) {
        this.client = client;
        key = namespace.kinds();
    }

    /** Records kinds; refuses those that were declared differently before. */
    void declare(List<KindDefinition> definitions) {
        if (definitions.stream().allMatch(each -> own.find(each.prefix()).equals(Optional.of(each)))) {
            return;
        }
        client.limit().await(record(definitions, MOST_ATTEMPTS), "Declaring kinds");
        own.declare(definitions);
    }

    /** Records again what this process has declared: a backup may be older than that. */
    CompletionStage<Void> declareAgain() {
        List<KindDefinition> definitions = own.definitions();
        if (definitions.isEmpty()) {
            return CompletableFuture.completedStage(null);
        }
        return record(definitions, MOST_ATTEMPTS).whenComplete((nothing, error) -> {
            if (error != null && EtcdErrors.causeOf(error) instanceof LockException mismatch && !mismatch.retryable()) {
                LOG.error(
                        "While etcd had lost its memory, another process declared a kind differently. They don't exclude each other:"
                                + " stop one of them. {}",
                        mismatch.getMessage());
            }
        });
    }

    private CompletableFuture<Void> record(List<KindDefinition> definitions, int attempts) {
        return recorded().thenCompose(before -> {
            KindRegistry both = new KindRegistry();
            both.declare(before.kinds());
            both.declare(definitions);
            if (both.definitions().size() == before.kinds().size()) {
                return CompletableFuture.completedFuture(null);
            }
            return replace(before.revision(), both.definitions())
                    .thenCompose(done -> done
                            ? CompletableFuture.<Void>completedFuture(null)
                            : attempts > 1
                                    ? record(definitions, attempts - 1)
                                    : CompletableFuture.failedFuture(overtaken()));
        });
    }

    private static LockException overtaken() {
        return new LockException(
                ErrorCode.STORE_UNAVAILABLE,
                "Declaring kinds failed: other processes declared theirs first, again and again. Nothing was recorded. Try again.",
                List.of(),
                null);
    }

    private CompletableFuture<Boolean> replace(long revision, List<KindDefinition> kinds) {
        TxnRequest txn = TxnRequest.newBuilder()
                .addCompare(Requests.modified(key, revision))
                .addSuccess(Requests.put(key, text(kinds), 0))
                .build();
        return client.linearizable(KVGrpc.getTxnMethod(), txn, TxnResponse::getHeader)
                .thenApply(TxnResponse::getSucceeded);
    }

    private CompletableFuture<Recorded> recorded() {
        return client.read(Requests.get(key)).thenApply(response -> {
            @Nullable KeyValue found = response.getKvsCount() == 0 ? null : response.getKvs(0);
            return found == null
                    ? new Recorded(List.of(), 0)
                    : new Recorded(read(found.getValue()), found.getModRevision());
        });
    }

    // ---- reading them

    /** All kinds of the namespace, to read keys with. */
    Kinds all() {
        return client.limit().await(read(), "Reading kinds");
    }

    CompletableFuture<Kinds> read() {
        return recorded().thenApply(found -> {
            Map<String, KindDefinition> definitions = new HashMap<>();
            found.kinds().forEach(each -> definitions.put(each.prefix(), each));
            return Kinds.of(definitions.values().stream()
                    .map(each -> new RecordedKind(each, definitions))
                    .toArray(LockKind[]::new));
        });
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

    private static ByteString text(List<KindDefinition> kinds) {
        return ByteString.copyFromUtf8(kinds.stream()
                .map(kind -> kind.prefix() + " " + kind.rank() + " " + kind.level() + " "
                        + (kind.leaf() ? "leaf" : "inner") + " " + kind.parent().orElse("-"))
                .collect(Collectors.joining("\n")));
    }

    private static List<KindDefinition> read(ByteString value) {
        List<KindDefinition> kinds = new ArrayList<>();
        for (String line : value.toStringUtf8().split("\n", -1)) {
            String[] words = line.split(" ", -1);
            Optional<String> parent = "-".equals(words[4]) ? Optional.empty() : Optional.of(words[4]);
            kinds.add(new KindDefinition(
                    words[0], Integer.parseInt(words[1]), parent, Integer.parseInt(words[2]), "leaf".equals(words[3])));
        }
        return kinds;
    }
}
