package dev.lockstep.etcd;

import com.google.protobuf.ByteString;
import dev.lockstep.etcd.rpc.Compare;
import dev.lockstep.etcd.rpc.DeleteRangeRequest;
import dev.lockstep.etcd.rpc.PutRequest;
import dev.lockstep.etcd.rpc.RangeRequest;
import dev.lockstep.etcd.rpc.RequestOp;
import dev.lockstep.etcd.rpc.TxnRequest;

/** The parts of transactions. */
final class Requests {
    private Requests() {}

    // ---- conditions

    /** The key was written last at this revision; 0 means that there is no such key. */
    static Compare modified(ByteString key, long revision) {
        return Compare.newBuilder()
                .setKey(key)
                .setTarget(Compare.CompareTarget.MOD)
                .setModRevision(revision)
                .build();
    }

    /** The key was created at this revision; 0 means that there is no such key. */
    static Compare created(ByteString key, long revision) {
        return Compare.newBuilder()
                .setKey(key)
                .setTarget(Compare.CompareTarget.CREATE)
                .setCreateRevision(revision)
                .build();
    }

    /** The key is attached to this lease. */
    static Compare attached(ByteString key, long lease) {
        return Compare.newBuilder()
                .setKey(key)
                .setTarget(Compare.CompareTarget.LEASE)
                .setLease(lease)
                .build();
    }

    /** No key is in this range. */
    static Compare empty(ByteString from, ByteString to) {
        return Compare.newBuilder()
                .setKey(from)
                .setRangeEnd(to)
                .setTarget(Compare.CompareTarget.CREATE)
                .setCreateRevision(0)
                .build();
    }

    static Compare hasValue(ByteString key, ByteString value) {
        return Compare.newBuilder()
                .setKey(key)
                .setTarget(Compare.CompareTarget.VALUE)
                .setValue(value)
                .build();
    }

    // ---- steps

    static RangeRequest get(ByteString key) {
        return RangeRequest.newBuilder().setKey(key).build();
    }

    /** The first entries of a range in the order in which they came. */
    static RangeRequest earliest(ByteString from, ByteString to, int most) {
        return sorted(from, to, most, RangeRequest.SortOrder.ASCEND).build();
    }

    /** The last ones, the newest first. */
    static RangeRequest.Builder latest(ByteString from, ByteString to, int most) {
        return sorted(from, to, most, RangeRequest.SortOrder.DESCEND);
    }

    private static RangeRequest.Builder sorted(ByteString from, ByteString to, int most, RangeRequest.SortOrder order) {
        return RangeRequest.newBuilder()
                .setKey(from)
                .setRangeEnd(to)
                .setLimit(most)
                .setSortOrder(order)
                .setSortTarget(RangeRequest.SortTarget.CREATE);
    }

    static RequestOp range(RangeRequest request) {
        return RequestOp.newBuilder().setRequestRange(request).build();
    }

    static RequestOp put(ByteString key, ByteString value, long lease) {
        return RequestOp.newBuilder()
                .setRequestPut(
                        PutRequest.newBuilder().setKey(key).setValue(value).setLease(lease))
                .build();
    }

    /** Attaches a key that is there to another lease. */
    static RequestOp attach(ByteString key, long lease) {
        return RequestOp.newBuilder()
                .setRequestPut(
                        PutRequest.newBuilder().setKey(key).setLease(lease).setIgnoreValue(true))
                .build();
    }

    static RequestOp delete(ByteString key) {
        return RequestOp.newBuilder()
                .setRequestDeleteRange(DeleteRangeRequest.newBuilder().setKey(key))
                .build();
    }

    static RequestOp delete(ByteString from, ByteString to) {
        return RequestOp.newBuilder()
                .setRequestDeleteRange(
                        DeleteRangeRequest.newBuilder().setKey(from).setRangeEnd(to))
                .build();
    }

    static RequestOp txn(TxnRequest request) {
        return RequestOp.newBuilder().setRequestTxn(request).build();
    }
}
