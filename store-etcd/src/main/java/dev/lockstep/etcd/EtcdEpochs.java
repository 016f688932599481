package dev.lockstep.etcd;

import com.google.protobuf.ByteString;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockException;
import dev.lockstep.core.spi.Epoch;
import dev.lockstep.core.spi.EpochRegister;
import dev.lockstep.etcd.rpc.KVGrpc;
import dev.lockstep.etcd.rpc.TxnRequest;
import dev.lockstep.etcd.rpc.TxnResponse;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The register of a pair: one key, read through consensus, and replaced only if it has the expected value in every byte. */
final class EtcdEpochs implements EpochRegister {
    private final EtcdClient client;
    private final ByteString key;
    private final String name;
    private final LockClock clock;

    EtcdEpochs(EtcdClient client, EtcdNamespace namespace, String name, LockClock clock) {
        this.client = client;
        this.name = name;
        this.clock = clock;
        key = namespace.epoch(name);
    }

    /** Creates the register if there is none, and writes its value once more. */
    @Override
    public void requireUsable() {
        Epoch now = read();
        replace(now, now);
    }

    @Override
    public Epoch read() {
        String doing = "Reading the epoch of the pair '" + name + "'";
        Optional<ByteString> found = client.limit().await(value(), doing);
        return found.isPresent() ? epoch(found.get()) : create(doing);
    }

    private CompletableFuture<Optional<ByteString>> value() {
        return client.read(Requests.get(key))
                .thenApply(response -> response.getKvsList().stream()
                        .map(each -> each.getValue())
                        .findFirst());
    }

    private Epoch create(String doing) {
        Epoch first = new Epoch(TimeUnit.MILLISECONDS.toSeconds(clock.millis()), Epoch.Side.PRIMARY, false, 0, "");
        TxnRequest txn = TxnRequest.newBuilder()
                .addCompare(Requests.created(key, 0))
                .addSuccess(Requests.put(key, text(first), 0))
                .addFailure(Requests.range(Requests.get(key)))
                .build();
        TxnResponse response = client.limit().await(send(txn), doing);
        return response.getSucceeded()
                ? first
                : epoch(response.getResponses(0).getResponseRange().getKvs(0).getValue());
    }

    /** Never sent twice: a response that is lost fails the call, and the next read shows what happened. */
    @Override
    public boolean replace(Epoch expected, Epoch next) {
        TxnRequest txn = TxnRequest.newBuilder()
                .addCompare(Requests.hasValue(key, text(expected)))
                .addSuccess(Requests.put(key, text(next), 0))
                .build();
        return client.limit()
                .await(send(txn), "Changing the epoch of the pair '" + name + "' (which may be done all the same)")
                .getSucceeded();
    }

    private CompletableFuture<TxnResponse> send(TxnRequest txn) {
        return client.linearizable(KVGrpc.getTxnMethod(), txn, TxnResponse::getHeader);
    }

    private static ByteString text(Epoch epoch) {
        return ByteString.copyFromUtf8(epoch.number() + " " + epoch.side() + " " + epoch.open() + " "
                + epoch.objections() + " " + epoch.terms());
    }

    private Epoch epoch(ByteString value) {
        String[] words = value.toStringUtf8().split(" ", 5);
        try {
            return new Epoch(
                    Long.parseLong(words[0]),
                    Epoch.Side.valueOf(words[1]),
                    Boolean.parseBoolean(words[2]),
                    Long.parseLong(words[3]),
                    words[4]);
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            throw new LockException(
                    ErrorCode.STORE_FAILED,
                    "The key '" + key.toStringUtf8()
                            + "' was changed by another program: it has no epoch. End all processes that"
                            + " use the pair, and delete the key.",
                    List.of(),
                    e);
        }
    }
}
