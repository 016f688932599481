package dev.lockstep.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.PrivateServer;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestServers;
import dev.lockstep.testservers.UsesServer;
import io.lettuce.core.SslOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server whose certificate no public authority has signed, and that wants to see one of its clients. */
@UsesServer(ServerKind.REDIS)
@Tag("once")
@Timeout(300)
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

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Test
    void aPrivateAuthorityAndACertificateOfTheClient(@TempDir Path directory) throws Exception {
        Certificate server = Certificate.create(directory, "server");
        Certificate client = Certificate.create(directory, "client");
        int port = freePort();
        SslOptions trusting =
                SslOptions.builder().trustManager(server.certificate().toFile()).build();
        SslOptions known = SslOptions.builder()
                .trustManager(server.certificate().toFile())
                .keyManager(client.certificate().toFile(), client.key().toFile(), new char[0])
                .build();
        String url = "rediss://127.0.0.1:" + port;
        try (PrivateServer redis = TestServers.startRedis(
                        "--tls-port", Integer.toString(port),
                        "--tls-cert-file", server.certificate().toString(),
                        "--tls-key-file", server.key().toString(),
                        "--tls-ca-cert-file", client.certificate().toString(),
                        "--tls-auth-clients", "yes");
                RedisLockStore store = RedisLockStore.at(url).tls(known).answerWithin(Duration.ofMinutes(1));
                RedisLockStore anonymous = RedisLockStore.at(url).tls(trusting);
                Locks locks = Locks.on(store.createNamespace())) {
            locks.acquire(USER).close();
            assertThatThrownBy(anonymous::ping).isInstanceOf(LockException.class);
            assertThat(RedisDoctor.at(url).tls(known).examine().isHealthy()).isTrue();
            assertThat(RedisDoctor.at(url).tls(trusting).examine().isHealthy()).isFalse();
            assertThat(redis.port()).isNotEqualTo(port);
        }
    }

    @Test
    void certificatesThatWouldBeIgnoredAreRefused() {
        assertThatThrownBy(() -> RedisLockStore.at("redis://host").tls(SslOptions.create()))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("rediss://");
    }
}
