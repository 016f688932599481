package dev.lockstep.etcd;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.EtcdCluster;
import dev.lockstep.testservers.EtcdMember;
import dev.lockstep.testservers.TcpProxy;
import dev.lockstep.testservers.TestServers;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What waits learns of deletions although its watch was interrupted. */
@Tag("slow")
@Tag("once")
@Execution(ExecutionMode.CONCURRENT)
class WatchersTest {
    private static final Pattern REVISION = Pattern.compile("\"revision\":\\s*\"(\\d+)\"");

    private final LockKey key = Tenancy.user("u1");

    @Test
    @DisplayName("a deletion that was compacted away while the waiter was cut off is found out")
    void compaction() {
        try (EtcdCluster cluster = TestServers.startEtcd(1)) {
            EtcdMember member = cluster.members().get(0);
            try (TcpProxy network = TcpProxy.to(member.host(), member.port())) {
                Realm direct = Realm.on(cluster.url());
                Realm proxied = direct.at("etcd://" + network.host() + ":" + network.port());
                try (Locks holder = direct.locks();
                        Locks waiter = proxied.locks()) {
                    Lease held = holder.acquire(exclusive(key));
                    CompletableFuture<Lease> waiting = waiter.acquireAsync(exclusive(key));
                    await().untilAsserted(() ->
                            assertThat(holder.snapshot().waiters()).hasSize(1));
                    network.refuse();
                    network.cut();
                    held.close();
                    compact(member);
                    network.accept();
                    waiting.join().close();
                }
            }
        }
    }

    private static void compact(EtcdMember member) {
        String status = Tampering.send(member.address(), "/v3/maintenance/status", "{}");
        Matcher revision = REVISION.matcher(status);
        assertThat(revision.find()).isTrue();
        Tampering.send(
                member.address(),
                "/v3/kv/compaction",
                "{\"revision\": \"" + revision.group(1) + "\", \"physical\": true}");
    }
}
