package dev.lockstep.projectlock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.testservers.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Six other processes that go for one project, with random stalls inside their transactions; those of one test class. */
final class Racers implements BeforeAllCallback, AfterAllCallback {
    static final int COUNT = 6;

    /** Enough for the order to reach all of them; who gets it late is late. */
    private static final long HEAD_START = TimeUnit.MILLISECONDS.toNanos(3);

    private final List<ChildJvm> children = new ArrayList<>();

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        for (int i = 0; i < COUNT; i++) {
            children.add(ChildJvm.start(ProjectChild.class));
        }
    }

    /** Each opens the project anew, in a way of its own. */
    void open(List<Way> ways, Path project, Duration term) throws IOException {
        for (int i = 0; i < COUNT; i++) {
            ChildJvm child = children.get(i);
            assertThat(child.ask(ProjectChild.open(ways.get(i), project, term))).isEqualTo("open");
            assertThat(child.ask("stall")).isEqualTo("ok");
        }
    }

    /** Tells all of them the same, and waits for all answers. */
    List<String> ask(String line) throws IOException {
        children.forEach(child -> child.tell(line));
        return answers();
    }

    private List<String> answers() throws IOException {
        List<String> answers = new ArrayList<>();
        for (ChildJvm child : children) {
            answers.add(child.answer());
        }
        return answers;
    }

    /** Lets each try once at the same moment. */
    Race race() {
        long start = System.nanoTime() + HEAD_START;
        children.forEach(child -> child.tell("try-at " + start));
        return this::winners;
    }

    /** A race that is on. */
    @FunctionalInterface
    interface Race {
        /** Waits for its end; answers who has the project now. */
        List<Winner> winners() throws IOException;
    }

    private List<Winner> winners() throws IOException {
        List<Winner> winners = new ArrayList<>();
        List<String> answers = answers();
        for (int i = 0; i < COUNT; i++) {
            String answer = answers.get(i);
            if (answer.startsWith("held ")) {
                winners.add(new Winner(children.get(i), Long.parseLong(answer.substring("held ".length()))));
            } else {
                assertThat(answer).isEqualTo("acquire-timeout");
            }
        }
        return winners;
    }

    /** Who was granted the project, with the grant's token. */
    record Winner(ChildJvm process, long token) {
        /** Fails for all but one if there were several. */
        String release() throws IOException {
            return process.ask("release");
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        children.forEach(ChildJvm::close);
    }
}
