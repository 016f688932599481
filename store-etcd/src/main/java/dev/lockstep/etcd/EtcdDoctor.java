package dev.lockstep.etcd;

import com.google.protobuf.ByteString;
import dev.lockstep.core.LockException;
import dev.lockstep.core.doctor.Diagnosis;
import dev.lockstep.core.doctor.Finding;
import dev.lockstep.etcd.rpc.AlarmRequest;
import dev.lockstep.etcd.rpc.ClusterGrpc;
import dev.lockstep.etcd.rpc.KVGrpc;
import dev.lockstep.etcd.rpc.MaintenanceGrpc;
import dev.lockstep.etcd.rpc.MemberListRequest;
import dev.lockstep.etcd.rpc.StatusRequest;
import dev.lockstep.etcd.rpc.StatusResponse;
import dev.lockstep.etcd.rpc.TxnRequest;
import dev.lockstep.etcd.rpc.TxnResponse;
import io.grpc.ChannelCredentials;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

/**
 * Finds out before the first lock whether an etcd cluster is fit for a store, and says what to do where it isn't. It leaves nothing behind
 * and waits for no lock.
 *
 * <pre>{@code
 * Diagnosis diagnosis = EtcdDoctor.at("etcd://host1:2379,host2:2379,host3:2379").namespace("orders").examine();
 * if (!diagnosis.isHealthy()) throw new IllegalStateException(diagnosis.toString());
 * }</pre>
 */
public final class EtcdDoctor {
    private final EtcdOptions options;

    private EtcdDoctor(EtcdOptions options) {
        this.options = options;
    }

    /** Examines the cluster of these members, such as {@code etcd://host1:2379,host2:2379}. */
    public static EtcdDoctor at(String url) {
        return new EtcdDoctor(EtcdOptions.of(EtcdAddress.parse(url)));
    }

    /** The same for a store with this namespace. */
    public EtcdDoctor namespace(String name) {
        return new EtcdDoctor(options.withNamespace(name));
    }

    /** The same as this user of etcd. */
    public EtcdDoctor user(String user, String password) {
        return new EtcdDoctor(options.withUser(user, password));
    }

    /** The same with these certificates, as {@link EtcdLockStore#tls}. */
    public EtcdDoctor tls(ChannelCredentials certificates) {
        return new EtcdDoctor(options.withTls(certificates));
    }

    /** The same, waiting at most this long for each response. */
    public EtcdDoctor answerWithin(Duration time) {
        return new EtcdDoctor(options.withAnswerWithin(time));
    }

    /** Examines everything. A member that can't be reached is a finding, not an exception. */
    public Diagnosis examine() {
        EtcdAddress address = options.address();
        CallLimit limit = new CallLimit(address.toString(), options.answerWithin());
        Members members = new Members(address.members(), options.channelCredentials(), options.answerWithin());
        List<Finding> findings = new ArrayList<>();
        try (EtcdClient client = new EtcdClient(
                members, limit, address.credentials(), options.interceptors(), new ClusterView(evidence -> {}))) {
            findings.addAll(eachMember(client));
            if (findings.stream().anyMatch(each -> each.severity() != Finding.Severity.ERROR)) {
                findings.addAll(cluster(client));
            }
        }
        findings.add(EtcdRules.tls(address.tls(), isLoopback(address)));
        return new Diagnosis(findings);
    }

    private static boolean isLoopback(EtcdAddress address) {
        return address.members().stream()
                .allMatch(each -> each.startsWith("127.") || each.startsWith("localhost:") || each.startsWith("[::1]"));
    }

    private List<Finding> eachMember(EtcdClient client) {
        List<Finding> findings = new ArrayList<>();
        for (int i = 0; i < client.members().count(); i++) {
            String name = "The member " + options.address().members().get(i);
            try {
                StatusResponse status = await(
                        client,
                        client.call(MaintenanceGrpc.getStatusMethod(), StatusRequest.getDefaultInstance(), i),
                        "Asking " + name);
                findings.add(EtcdRules.version(name, status.getVersion()));
                findings.add(EtcdRules.size(name, status.getDbSize(), status.getDbSizeInUse()));
                if (status.getLeader() == 0) {
                    findings.add(Finding.error(
                            name + " knows of no leader.",
                            "Check whether a majority of the members can reach each other."));
                }
            } catch (LockException e) {
                findings.add(Finding.error(
                        name + " does not answer: " + Finding.reason(e),
                        "Check the address, and whether the member runs and this machine may connect to it."));
            }
        }
        return findings;
    }

    private List<Finding> cluster(EtcdClient client) {
        List<Finding> findings = new ArrayList<>();
        findings.add(examined(
                "The members",
                () -> EtcdRules.members(await(
                                client,
                                client.call(ClusterGrpc.getMemberListMethod(), MemberListRequest.getDefaultInstance()),
                                "Listing the members")
                        .getMembersCount())));
        try {
            findings.addAll(EtcdRules.alarms(alarms(client)));
        } catch (LockException e) {
            findings.add(Finding.warning(
                    "The alarms can't be read: " + Finding.reason(e), "Check them with 'etcdctl alarm list'."));
        }
        findings.add(permissions(client));
        return findings;
    }

    private interface Examination {
        Finding run();
    }

    private static Finding examined(String what, Examination examination) {
        try {
            return examination.run();
        } catch (LockException e) {
            return Finding.warning(what + " can't be examined: " + Finding.reason(e), "Check them with etcdctl.");
        }
    }

    private static Set<String> alarms(EtcdClient client) {
        return await(
                        client,
                        client.call(MaintenanceGrpc.getAlarmMethod(), AlarmRequest.getDefaultInstance()),
                        "Reading alarms")
                .getAlarmsList()
                .stream()
                .map(each -> each.getAlarm().name())
                .collect(Collectors.toSet());
    }

    /** Reads, writes and deletes in a transaction what no store uses. */
    private Finding permissions(EtcdClient client) {
        EtcdNamespace namespace = options.namespace();
        ByteString key = ByteString.copyFromUtf8(namespace.prefix() + "doctor");
        TxnRequest trial = TxnRequest.newBuilder()
                .addCompare(Requests.created(key, 0))
                .addSuccess(Requests.put(key, ByteString.EMPTY, 0))
                .addSuccess(Requests.txn(TxnRequest.newBuilder()
                        .addSuccess(Requests.range(Requests.latest(
                                        ByteString.copyFromUtf8(namespace.prefix()),
                                        ByteString.copyFromUtf8(namespace.end()),
                                        1)
                                .build()))
                        .build()))
                .build();
        String keys = "the keys from '" + namespace.prefix() + "' to '" + namespace.end() + "'";
        try {
            TxnResponse response = await(
                    client,
                    client.linearizable(KVGrpc.getTxnMethod(), trial, TxnResponse::getHeader),
                    "Trying a transaction");
            await(
                    client,
                    client.linearizable(
                            KVGrpc.getTxnMethod(),
                            TxnRequest.newBuilder()
                                    .addSuccess(Requests.delete(key))
                                    .build(),
                            TxnResponse::getHeader),
                    "Trying a transaction");
            return Finding.ok("Transactions on " + keys + " work, at revision "
                    + response.getHeader().getRevision() + ".");
        } catch (LockException e) {
            return Finding.error(
                    "Transactions on " + keys + " fail: " + Finding.reason(e),
                    "Give the user a role that may read and write that range: 'etcdctl role grant-permission ROLE readwrite "
                            + namespace.prefix() + " " + namespace.end() + "'.");
        }
    }

    private static <T> T await(EtcdClient client, CompletionStage<T> response, String doing) {
        return client.limit().await(response, doing);
    }
}
