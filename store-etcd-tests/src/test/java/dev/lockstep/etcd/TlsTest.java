package dev.lockstep.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.LockException;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.EtcdCluster;
import dev.lockstep.testservers.TestServers;
import io.grpc.ChannelCredentials;
import io.grpc.TlsChannelCredentials;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A member whose certificate no public authority has signed, and that requires one of its clients. */
@Tag("slow")
@Tag("once")
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
class TlsTest {
    private static final String PASSWORD = "password";
    private static final LockRequest USER = LockRequest.exclusive(Tenancy.user("u1"));

    /** A certificate that is its own authority, and its key. */
    private record Certificate(Path certificate, Path key) {
        static Certificate create(Path directory, String name) throws Exception {
            Path store = directory.resolve(name + ".p12");
            Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
            Process process = new ProcessBuilder(
                            keytool.toString(),
                            "-genkeypair",
                            "-alias",
                            name,
                            "-dname",
                            "CN=" + name,
                            "-keyalg",
                            "EC",
                            "-ext",
                            "san=ip:127.0.0.1",
                            "-storetype",
                            "PKCS12",
                            "-storepass",
                            PASSWORD,
                            "-keystore",
                            store.toString())
                    .redirectErrorStream(true)
                    .start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(said).isZero();
            KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
            return new Certificate(
                    pem(
                            directory.resolve(name + ".crt"),
                            "CERTIFICATE",
                            keys.getCertificate(name).getEncoded()),
                    pem(
                            directory.resolve(name + ".key"),
                            "PRIVATE KEY",
                            keys.getKey(name, PASSWORD.toCharArray()).getEncoded()));
        }

        private static Path pem(Path file, String what, byte[] content) throws IOException {
            String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
            return Files.writeString(file, "-----BEGIN " + what + "-----\n" + body + "\n-----END " + what + "-----\n");
        }
    }

    @Test
    @DisplayName("locks with a private authority and a certificate of the client; refused without one, and without TLS")
    void certificates(@TempDir Path directory) throws Exception {
        Certificate server = Certificate.create(directory, "server");
        Certificate client = Certificate.create(directory, "client");
        ChannelCredentials known = TlsChannelCredentials.newBuilder()
                .trustManager(server.certificate().toFile())
                .keyManager(client.certificate().toFile(), client.key().toFile())
                .build();
        ChannelCredentials anonymous = TlsChannelCredentials.newBuilder()
                .trustManager(server.certificate().toFile())
                .build();
        try (EtcdCluster cluster = TestServers.startEtcd(
                1,
                "--cert-file",
                server.certificate().toString(),
                "--key-file",
                server.key().toString(),
                "--trusted-ca-file",
                client.certificate().toString(),
                "--client-cert-auth")) {
            String plain = cluster.url();
            String url = plain.replace("etcd://", "etcds://");
            try (Locks locks = Locks.on(EtcdLockStore.at(url).tls(known).answerWithin(Duration.ofMinutes(1)))) {
                locks.acquire(USER).close();
            }
            assertThat(EtcdDoctor.at(url).tls(known).examine().isHealthy()).isTrue();
            assertRefused(EtcdLockStore.at(url).tls(anonymous));
            assertRefused(EtcdLockStore.at(url));
            assertRefused(EtcdLockStore.at(plain));
        }
    }

    private static void assertRefused(EtcdLockStore store) {
        try (store) {
            assertThatThrownBy(store::ping).isInstanceOf(LockException.class);
        }
    }
}
