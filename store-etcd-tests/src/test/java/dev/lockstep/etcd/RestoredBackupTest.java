package dev.lockstep.etcd;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.FencingToken;
import dev.lockstep.core.GrantsPausedException;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.EtcdCluster;
import dev.lockstep.testservers.EtcdMember;
import dev.lockstep.testservers.TestServers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A member whose data is set back to that of a backup: the one way in which etcd forgets. */
@Tag("slow")
@Tag("once")
@Execution(ExecutionMode.CONCURRENT)
class RestoredBackupTest {
    private static final Duration LONGEST = Duration.ofSeconds(12);

    private final LockKey key = Tenancy.user("u1");

    @Test
    @DisplayName("after a restore leases are lost, nothing is granted for the longest term, and tokens rise")
    void restore() {
        try (EtcdCluster cluster = TestServers.startEtcd(1)) {
            EtcdMember member = cluster.members().get(0);
            Realm realm = Realm.on(cluster.url()).terms(LONGEST, Duration.ofSeconds(9));
            try (Locks locks = realm.locks();
                    Locks other = realm.locks()) {
                locks.acquire(exclusive(key)).close();
                other.acquire(exclusive(Tenancy.user("u2"))).close();
                backUp(member);
                Lease forgotten = locks.acquire(exclusive(key));
                FencingToken before = forgotten.token();
                restore(member);
                cluster.awaitHealthy();
                await().until(() -> forgotten.lost().toCompletableFuture().isDone());
                long lost = System.nanoTime();
                assertThatThrownBy(() -> locks.tryAcquire(exclusive(key))).isInstanceOf(GrantsPausedException.class);
                assertThatThrownBy(() -> other.tryAcquire(exclusive(key))).isInstanceOf(GrantsPausedException.class);
                Lease next = other.acquire(exclusive(key));
                assertThat(Duration.ofNanos(System.nanoTime() - lost)).isGreaterThan(LONGEST.minusSeconds(10));
                assertThat(next.token()).isGreaterThan(before);
                next.close();
            }
        }
    }

    private static void backUp(EtcdMember member) {
        member.kill();
        copy(member.directory().resolve("data"), member.directory().resolve("backup"));
        member.restart();
    }

    private static void restore(EtcdMember member) {
        member.kill();
        try {
            Files.move(member.directory().resolve("data"), member.directory().resolve("lost"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        copy(member.directory().resolve("backup"), member.directory().resolve("data"));
        member.restart();
    }

    private static void copy(Path from, Path to) {
        try {
            Files.walkFileTree(from, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
                        throws IOException {
                    Files.createDirectories(to.resolve(from.relativize(directory)));
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.copy(file, to.resolve(from.relativize(file)));
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
