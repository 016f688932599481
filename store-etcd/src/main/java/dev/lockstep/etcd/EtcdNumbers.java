package dev.lockstep.etcd;

import com.google.protobuf.ByteString;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import dev.lockstep.core.spi.SharedNumbers;
import dev.lockstep.etcd.rpc.KVGrpc;
import dev.lockstep.etcd.rpc.TxnRequest;
import dev.lockstep.etcd.rpc.TxnResponse;
import java.util.List;

/** Shared numbers, each of them a key that is replaced only if it is as expected. They outlive all leases. */
final class EtcdNumbers implements SharedNumbers {
    private final EtcdClient client;
    private final EtcdNamespace namespace;

    EtcdNumbers(EtcdClient client, EtcdNamespace namespace) {
        this.client = client;
        this.namespace = namespace;
    }

    @Override
    public long declare(String name, long number) {
        ByteString key = namespace.number(name);
        TxnRequest.Builder txn = TxnRequest.newBuilder().addCompare(Requests.created(key, 0));
        TxnResponse response = send(name, txn, number);
        return response.getSucceeded() ? number : recorded(key, response);
    }

    @Override
    public boolean replace(String name, long expected, long next) {
        ByteString key = namespace.number(name);
        TxnRequest.Builder txn = TxnRequest.newBuilder().addCompare(Requests.hasValue(key, text(expected)));
        TxnResponse response = send(name, txn, next);
        return response.getSucceeded() || (isRecorded(response) && recorded(key, response) == next);
    }

    /** Writes the number if the condition holds, and reads the one that is recorded if it doesn't. */
    private TxnResponse send(String name, TxnRequest.Builder condition, long number) {
        ByteString key = namespace.number(name);
        TxnRequest txn = condition
                .addSuccess(Requests.put(key, text(number), 0))
                .addFailure(Requests.range(Requests.get(key)))
                .build();
        return client.limit()
                .await(
                        client.linearizable(KVGrpc.getTxnMethod(), txn, TxnResponse::getHeader),
                        "Reading or changing the number '" + name + "'");
    }

    private static boolean isRecorded(TxnResponse response) {
        return response.getResponses(0).getResponseRange().getKvsCount() > 0;
    }

    private static long recorded(ByteString key, TxnResponse response) {
        String text =
                response.getResponses(0).getResponseRange().getKvs(0).getValue().toStringUtf8();
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new LockException(
                    ErrorCode.STORE_FAILED,
                    "The key '" + key.toStringUtf8()
                            + "' was changed by another program: it has no number. Nothing was changed. Delete the key.",
                    List.of(),
                    e);
        }
    }

    private static ByteString text(long number) {
        return ByteString.copyFromUtf8(Long.toString(number));
    }
}
