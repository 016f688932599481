package dev.lockstep.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class TcpProxyTest {
    private ServerSocket echo;
    private TcpProxy proxy;

    @BeforeEach
    void start() throws IOException {
        echo = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        daemon(this::serve);
        proxy = TcpProxy.to(echo.getInetAddress().getHostAddress(), echo.getLocalPort());
    }

    @AfterEach
    void stop() throws IOException {
        proxy.close();
        echo.close();
    }

    @Test
    void forwardsBothWaysAndCounts() throws IOException {
        try (Socket one = connect();
                Socket two = connect()) {
            assertThat(echoed(one, 1)).isEqualTo(1);
            assertThat(echoed(one, 2)).isEqualTo(2);
            assertThat(echoed(two, 3)).isEqualTo(3);
            assertThat(proxy.connections()).isEqualTo(2);
            assertThat(proxy.roundTrips()).isEqualTo(3);
        }
        await().until(() -> proxy.connections() == 0);
        assertThat(proxy.accepted()).isEqualTo(2);
    }

    @Test
    void forwardsMuch() throws IOException {
        byte[] much = new byte[1 << 20];
        Arrays.fill(much, (byte) 7);
        proxy.delay(Duration.ofMillis(1));
        try (Socket socket = connect()) {
            daemon(() -> socket.getOutputStream().write(much));
            assertThat(socket.getInputStream().readNBytes(much.length)).isEqualTo(much);
        }
    }

    @Test
    void eachRoundTripTakesLongerByTheDelay() throws IOException {
        proxy.delay(Duration.ofMillis(20));
        try (Socket socket = connect()) {
            long start = System.nanoTime();
            assertThat(echoed(socket, 1)).isEqualTo(1);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(20));
        }
    }

    @Test
    void aCutBreaksWhatIsOpenAndNotWhatComes() throws IOException {
        try (Socket socket = connect()) {
            assertThat(echoed(socket, 1)).isEqualTo(1);
            proxy.cut();
            assertThatThrownBy(() -> echoed(socket, 2)).isInstanceOf(IOException.class);
        }
        try (Socket socket = connect()) {
            assertThat(echoed(socket, 3)).isEqualTo(3);
        }
    }

    @Test
    void refusesWhatComesAndKeepsWhatIsOpen() throws IOException {
        try (Socket socket = connect()) {
            assertThat(echoed(socket, 1)).isEqualTo(1);
            proxy.refuse();
            assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
            assertThat(echoed(socket, 2)).isEqualTo(2);
        }
        proxy.accept();
        try (Socket socket = connect()) {
            assertThat(echoed(socket, 3)).isEqualTo(3);
        }
    }

    @Test
    void whatIsSentWhileFrozenArrivesAfterwards() throws IOException {
        try (Socket socket = connect()) {
            assertThat(echoed(socket, 1)).isEqualTo(1);
            proxy.freeze();
            socket.setSoTimeout(200);
            assertThatThrownBy(() -> echoed(socket, 2)).isInstanceOf(SocketTimeoutException.class);
            socket.setSoTimeout(0);
            proxy.thaw();
            assertThat(socket.getInputStream().read()).isEqualTo(2);
        }
    }

    @Test
    void oneDirectionAloneCanBeFrozen() throws IOException {
        try (Socket socket = connect()) {
            socket.setSoTimeout(200);
            proxy.freezeRequests();
            assertThatThrownBy(() -> echoed(socket, 1)).isInstanceOf(SocketTimeoutException.class);
            proxy.thaw();
            socket.setSoTimeout(0);
            assertThat(socket.getInputStream().read()).isEqualTo(1);

            socket.setSoTimeout(200);
            proxy.freezeAnswers();
            assertThatThrownBy(() -> echoed(socket, 2)).isInstanceOf(SocketTimeoutException.class);
            proxy.thaw();
            socket.setSoTimeout(0);
            assertThat(socket.getInputStream().read()).isEqualTo(2);
        }
    }

    @Test
    void aFrozenConnectionCanBeCut() throws IOException {
        try (Socket socket = connect()) {
            assertThat(echoed(socket, 1)).isEqualTo(1);
            proxy.freeze();
            socket.getOutputStream().write(1);
            proxy.cut();
            assertThatThrownBy(() -> echoed(socket, 2)).isInstanceOf(IOException.class);
            await().until(() -> proxy.connections() == 0);
        }
    }

    @Test
    void aServerThatIsNotThereBreaksTheConnection() throws IOException {
        try (TcpProxy toNobody = TcpProxy.to("127.0.0.1", FreePort.find());
                Socket socket = new Socket(toNobody.host(), toNobody.port())) {
            assertThatThrownBy(() -> echoed(socket, 1)).isInstanceOf(IOException.class);
        }
    }

    private Socket connect() throws IOException {
        return new Socket(proxy.host(), proxy.port());
    }

    private static int echoed(Socket socket, int value) throws IOException {
        socket.getOutputStream().write(value);
        int answer = socket.getInputStream().read();
        if (answer < 0) {
            throw new IOException("closed");
        }
        return answer;
    }

    private void serve() throws IOException {
        while (true) {
            Socket socket = echo.accept();
            daemon(() -> {
                try (socket) {
                    socket.getInputStream().transferTo(socket.getOutputStream());
                }
            });
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void daemon(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException e) {
                // The test has ended.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }
}
