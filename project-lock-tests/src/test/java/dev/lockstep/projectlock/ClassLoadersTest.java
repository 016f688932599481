package dev.lockstep.projectlock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.testservers.ChildJvm;
import dev.lockstep.testservers.Scale;
import java.io.File;
import java.lang.reflect.Constructor;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.StringTokenizer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two copies of Lockstep in one JVM, as two web applications have them, and one project. */
@Tag("slow")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@Execution(ExecutionMode.CONCURRENT)
class ClassLoadersTest {
    private static final Duration TERM = Duration.ofHours(1);
    private static final int TIMES = Scale.pick(15, 100);

    @TempDir
    private Path project;

    private URLClassLoader oneLoader;
    private URLClassLoader otherLoader;
    private Function<String, String> one;
    private Function<String, String> other;

    @BeforeEach
    void load() throws Exception {
        oneLoader = loader();
        otherLoader = loader();
        one = copy(oneLoader);
        other = copy(otherLoader);
        assertThat(one.getClass()).isNotSameAs(other.getClass());
        assertThat(one.apply("no-log")).isEqualTo("ok");
        assertThat(other.apply("no-log")).isEqualTo("ok");
    }

    @AfterEach
    void close() throws Exception {
        assertThat(one.apply("close")).isEqualTo("closed");
        assertThat(other.apply("close")).isEqualTo("closed");
        oneLoader.close();
        otherLoader.close();
    }

    /** Shares nothing with this test but the JDK. */
    private static URLClassLoader loader() throws MalformedURLException {
        List<URL> places = new ArrayList<>();
        for (StringTokenizer path = classPath(); path.hasMoreTokens(); ) {
            places.add(Path.of(path.nextToken()).toUri().toURL());
        }
        return new URLClassLoader(places.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    private static StringTokenizer classPath() {
        return new StringTokenizer(System.getProperty("java.class.path"), File.pathSeparator);
    }

    @SuppressWarnings("unchecked") // what the class is
    private static Function<String, String> copy(ClassLoader loader) throws ReflectiveOperationException {
        Constructor<?> constructor =
                loader.loadClass(ProjectChild.class.getName()).getDeclaredConstructor();
        constructor.setAccessible(true);
        return (Function<String, String>) constructor.newInstance();
    }

    private void open(Way way) {
        assertThat(one.apply(ProjectChild.open(way, project, TERM))).isEqualTo("open");
        assertThat(other.apply(ProjectChild.open(way, project, TERM))).isEqualTo("open");
    }

    @ParameterizedTest
    @EnumSource
    void theyExcludeEachOther(Way way, @TempDir Path counts) throws Exception {
        open(way);
        CompletableFuture<String> counting =
                CompletableFuture.supplyAsync(() -> one.apply("count " + TIMES + " " + counts));
        assertThat(other.apply("count " + TIMES + " " + counts)).isEqualTo("counted");
        assertThat(counting.get(3, TimeUnit.MINUTES)).isEqualTo("counted");
        try (CountedWork work = CountedWork.in(counts)) {
            assertThat(work.counted()).isEqualTo(2 * TIMES);
            work.verify();
        }
    }

    @Test
    void whatOneOfThemFailsOrClosesLeavesTheOsLockToTheOther() throws Exception {
        open(Way.OS_LOCK);
        try (ChildJvm process = ChildJvm.start(ProjectChild.class)) {
            assertThat(one.apply("acquire")).startsWith("held ");
            assertThat(process.ask("os-lock " + project)).isEqualTo("taken");
            assertThat(other.apply("try")).isEqualTo("acquire-timeout");
            assertThat(process.ask("os-lock " + project)).isEqualTo("taken");
            assertThat(other.apply("close")).isEqualTo("closed");
            assertThat(process.ask("os-lock " + project)).isEqualTo("taken");
            assertThat(one.apply("renew")).isEqualTo("renewed");
            assertThat(process.ask("os-lock " + project)).isEqualTo("taken");
            assertThat(one.apply("release")).isEqualTo("released");
            assertThat(process.ask("os-lock " + project)).isEqualTo("free");
        }
    }

    @Test
    void oneTakesWhatTheOtherOutlived() {
        open(Way.OS_LOCK);
        assertThat(one.apply("acquire")).startsWith("held ");
        assertThat(other.apply("advance " + TERM.toMillis())).isEqualTo("ok");
        assertThat(other.apply("try")).startsWith("held ");
        assertThat(one.apply("renew")).isEqualTo("lease-mismatch");
        assertThat(other.apply("is-held")).isEqualTo("true");
        assertThat(other.apply("release")).isEqualTo("released");
    }
}
