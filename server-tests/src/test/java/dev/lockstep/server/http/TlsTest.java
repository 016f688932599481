package dev.lockstep.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.server.RunningServer;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Real HTTPS with a certificate that signs itself, for clients and between servers. */
@Tag("once")
@ExtendWith(OutputCaptureExtension.class)
class TlsTest {
    private static final String TOKEN = "0123456789abcdef-token";
    private static final char[] PASSWORD = "changeit".toCharArray();
    private static final String CLEAR_TEXT = "Tokens travel in clear text to ";

    @TempDir
    private static Path folder;

    private static Path certificate;
    private static Path key;
    private static HttpClient trusting;

    @BeforeAll
    static void certify() throws Exception {
        Path store = folder.resolve("store.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "server",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost,ip:127.0.0.1",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        new String(PASSWORD))
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes());
        assertThat(keytool.waitFor()).as(said).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        certificate =
                pem("certificate", "CERTIFICATE", keys.getCertificate("server").getEncoded());
        key = pem("key", "PRIVATE KEY", keys.getKey("server", PASSWORD).getEncoded());
        trusting = HttpClient.newBuilder().sslContext(trusting(keys)).build();
    }

    private static Path pem(String name, String type, byte[] content) throws Exception {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return Files.writeString(
                folder.resolve(name + ".pem"),
                "-----BEGIN " + type + "-----\n" + text + "\n-----END " + type + "-----\n");
    }

    private static SSLContext trusting(KeyStore keys) throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("server", keys.getCertificate("server"));
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }

    /** As {@code lockstep serve --tls-certificate --tls-key} starts it. */
    private static RunningServer startWithTls(String node) {
        return RunningServer.with(Map.of(
                "lockstep.server.token", TOKEN,
                "lockstep.server.node", node,
                "server.ssl.certificate", certificate,
                "server.ssl.certificate-private-key", key));
    }

    private static URI https(RunningServer server, String path) {
        return URI.create("https://127.0.0.1:" + server.port() + path);
    }

    private static HttpResponse<String> acquire(RunningServer server) throws Exception {
        return trusting.send(
                HttpRequest.newBuilder(https(server, "/api/locks"))
                        .header("Authorization", "Bearer " + TOKEN)
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString("{\"keys\":[\"tls:1\"]}"))
                        .build(),
                BodyHandlers.ofString());
    }

    @Test
    void clientsThatTrustTheCertificateAreServedAndOthersSendNothing() throws Exception {
        try (RunningServer server = startWithTls("a")) {
            HttpResponse<String> held = acquire(server);
            assertThat(held.statusCode()).as(held.body()).isEqualTo(201);
            HttpRequest request =
                    HttpRequest.newBuilder(https(server, "/api/locks")).build();
            assertThat(trusting.send(request, BodyHandlers.discarding()).statusCode())
                    .as("without a token")
                    .isEqualTo(401);
            assertThatThrownBy(() -> HttpClient.newHttpClient().send(request, BodyHandlers.discarding()))
                    .isInstanceOf(SSLHandshakeException.class);
        }
    }

    @Test
    void serversForwardToEachOtherOverTls() throws Exception {
        try (RunningServer keeper = startWithTls("b");
                RunningServer trusts = RunningServer.with(Map.of(
                        "lockstep.server.token",
                        TOKEN,
                        "lockstep.server.node",
                        "a",
                        "lockstep.server.peers.b",
                        https(keeper, ""),
                        "lockstep.server.peers-ssl-bundle",
                        "peers",
                        "spring.ssl.bundle.pem.peers.truststore.certificate",
                        certificate));
                RunningServer doubts = RunningServer.with(Map.of(
                        "lockstep.server.token",
                        TOKEN,
                        "lockstep.server.node",
                        "c",
                        "lockstep.server.peers.b",
                        https(keeper, "")))) {
            String location = acquire(keeper).headers().firstValue("Location").orElseThrow();
            assertThat(release(doubts, location))
                    .as("a certificate that it doesn't trust")
                    .isEqualTo(503);
            assertThat(release(trusts, location)).isEqualTo(204);
            assertThat(release(trusts, location)).isEqualTo(410);
        }
    }

    private static int release(RunningServer server, String location) throws Exception {
        return trusting.send(
                        HttpRequest.newBuilder(server.url(location))
                                .header("Authorization", "Bearer " + TOKEN)
                                .DELETE()
                                .build(),
                        BodyHandlers.discarding())
                .statusCode();
    }

    @Test
    void tokensInClearTextOffLoopbackAreWarnedOf(CapturedOutput log) {
        try (RunningServer server = RunningServer.with(Map.of(
                "lockstep.server.token",
                TOKEN,
                "server.address",
                "0.0.0.0",
                "server.ssl.enabled",
                "false", // a certificate that isn't used
                "server.ssl.certificate",
                certificate,
                "server.ssl.certificate-private-key",
                key))) {
            assertThat(server.port()).isPositive();
            assertThat(log).contains(CLEAR_TEXT + "this server");
        }
    }

    @Test
    void aManagementPortDoesNotHaveTheTlsOfTheServer(CapturedOutput log) {
        try (RunningServer server = RunningServer.with(Map.of(
                "lockstep.server.token", TOKEN,
                "server.ssl.certificate", certificate,
                "server.ssl.certificate-private-key", key,
                "management.server.port", 0))) {
            assertThat(server.port()).isPositive();
            assertThat(log).contains(CLEAR_TEXT + "the management port").doesNotContain(CLEAR_TEXT + "this server");
        }
    }

    @Test
    void whereNoTokenCanBeReadThereIsNoWarning(CapturedOutput log) {
        try (RunningServer local = RunningServer.with(Map.of("lockstep.server.token", TOKEN));
                RunningServer tls = RunningServer.with(Map.of(
                        "lockstep.server.token", TOKEN,
                        "server.address", "0.0.0.0",
                        "server.ssl.certificate", certificate,
                        "server.ssl.certificate-private-key", key))) {
            assertThat(local.port()).isNotEqualTo(tls.port());
            assertThat(log).doesNotContain(CLEAR_TEXT);
        }
    }
}
