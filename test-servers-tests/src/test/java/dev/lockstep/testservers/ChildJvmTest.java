package dev.lockstep.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class ChildJvmTest {
    private static final String ENDED = "the child ended without printing a line";

    /** A child that can have a child. */
    static final class Echo {
        public static void main(String[] args) throws IOException {
            if (args[0].equals("fail")) {
                new Thread(Echo::hang).start();
                throw new IllegalStateException("as it should");
            }
            ChildJvm.obey(Echo::answer);
        }

        private static String answer(String[] words) throws IOException {
            return switch (words[0]) {
                case "say" -> words[1];
                case "hang" -> hang();
                case "parent" ->
                    Long.toString(ChildJvm.start(Echo.class, "child").pid());
                case "stopped" -> stopped(ChildJvm.start(Echo.class, "child"));
                default -> throw new IllegalArgumentException("what is\n" + words[0]);
            };
        }

        private static String stopped(ChildJvm child) throws IOException {
            child.ask("say ready");
            child.tell("hang");
            child.stop();
            return Long.toString(child.pid());
        }

        private static String hang() {
            try {
                TimeUnit.MINUTES.sleep(10);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return "awake";
        }
    }

    private static boolean isAlive(long pid) {
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }

    @Test
    void answersLineByLine() throws IOException {
        try (ChildJvm child = ChildJvm.start(Echo.class, "")) {
            child.tell("say one");
            child.tell("say two");
            assertThat(child.answer()).isEqualTo("one");
            assertThat(child.ask("say three")).isEqualTo("two");
            assertThat(child.answer()).isEqualTo("three");
            assertThat(child.ask("nonsense")).contains("IllegalArgumentException: what is nonsense");
        }
    }

    @Test
    void waitsNoLongerThanToldForAnAnswer() throws IOException {
        try (ChildJvm child = ChildJvm.start(Echo.class, "")) {
            child.tell("hang");
            assertThatThrownBy(() -> child.answer(Duration.ofMillis(10)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("no line within PT0.01S");
        }
    }

    @Test
    void whoWaitsForAChildThatHasEndedLearnsItAtOnce() throws IOException {
        try (ChildJvm killed = ChildJvm.start(Echo.class, "");
                ChildJvm failed = ChildJvm.start(Echo.class, "fail")) {
            killed.tell("hang");
            killed.kill();
            assertThat(isAlive(killed.pid())).isFalse();
            assertThat(killed.exitCode()).isEqualTo(128 + 9);
            assertThatThrownBy(killed::answer).isInstanceOf(IOException.class).hasMessage(ENDED);
            assertThatThrownBy(killed::answer).as("again").hasMessage(ENDED);
            assertThatThrownBy(failed::answer).isInstanceOf(IOException.class).hasMessage(ENDED);
            assertThat(failed.exitCode()).isEqualTo(1);
        }
    }

    @Test
    void standsStillUntilItContinues() throws IOException {
        try (ChildJvm child = ChildJvm.start(Echo.class, "")) {
            assertThat(child.ask("say ready")).isEqualTo("ready");
            child.stop();
            child.tell("say done");
            assertThatThrownBy(() -> child.answer(Duration.ofMillis(200))).isInstanceOf(IOException.class);
            child.goOn();
            assertThat(child.answer()).isEqualTo("done");
        }
    }

    @Test
    void closingEndsAChildThatHangsOrStandsStill() throws IOException {
        ChildJvm child = ChildJvm.start(Echo.class, "");
        child.tell("hang");
        child.stop();
        child.close();
        assertThat(isAlive(child.pid())).isFalse();
    }

    @Test
    void endsWhenItsParentIsKilled() throws IOException {
        try (ChildJvm parent = ChildJvm.start(Echo.class, "")) {
            long busy = Long.parseLong(parent.ask("parent"));
            long stopped = Long.parseLong(parent.ask("stopped"));
            assertThat(isAlive(busy)).isTrue();
            assertThat(isAlive(stopped)).isTrue();
            parent.kill();
            await().atMost(Duration.ofSeconds(60)).until(() -> !isAlive(busy) && !isAlive(stopped));
        }
    }
}
