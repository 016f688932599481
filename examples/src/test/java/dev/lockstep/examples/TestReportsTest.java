package dev.lockstep.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.examples.TestReports.Evidence;
import dev.lockstep.examples.TestSources.Found;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which reports of surefire say that a test ran, or did not, and which say nothing. */
class TestReportsTest {
    private static final TestReports REPORTS = new TestReports("target");

    @TempDir
    private Path module;

    private Path source;

    @BeforeEach
    void writeSource() throws IOException {
        Path packaged = Files.createDirectories(module.resolve("src/test/java/shop"));
        Files.createDirectories(module.resolve("target/surefire-reports"));
        source = Files.writeString(packaged.resolve("OrdersTest.java"), """
                package shop;
                import org.junit.jupiter.api.*;
                @DisplayName("orders")
                class OrdersTest {
                    @Test void one() {}
                    @Test @DisplayName("the other one") void other() {}
                    @Test void with_a_phrase() {}
                    @Test @Tag("slow") void tagged() {}
                    @Nested class Inside {
                        @Test void inner() {}
                        @Test void another() {}
                    }
                }
                """);
    }

    private Evidence of(String test) {
        Found found = TestSources.of(List.of(source)).find("OrdersTest", test).get(0);
        return REPORTS.of(found);
    }

    private Path report(String properties, String... tests) throws IOException {
        StringBuilder cases = new StringBuilder();
        for (String test : tests) {
            cases.append("<testcase name=\"").append(test).append("\" classname=\"shop.OrdersTest\"/>\n");
        }
        return Files.writeString(
                module.resolve("target/surefire-reports/TEST-shop.OrdersTest.xml"),
                "<testsuite><properties>" + properties + "</properties>\n" + cases + "</testsuite>");
    }

    @Test
    void withoutAReportNothingIsKnown() {
        assertThat(of("one")).isEqualTo(Evidence.UNKNOWN);
    }

    @Test
    void aTestOfTheReportRan() throws IOException {
        report("", "one(String)[1] a", "the other one", "with a phrase");

        assertThat(of("one")).isEqualTo(Evidence.RAN);
        assertThat(of("other")).isEqualTo(Evidence.RAN);
        assertThat(of("with_a_phrase")).isEqualTo(Evidence.RAN);
        assertThat(of("orders")).isEqualTo(Evidence.RAN);
    }

    @Test
    void aTestThatIsMissingBesideOthersDidNotRun() throws IOException {
        report("", "oneMore", "the other one");

        assertThat(of("one")).isEqualTo(Evidence.DID_NOT_RUN);
    }

    @Test
    void aTestOfAClassInsideIsInTheSameReport() throws IOException {
        report("", "one", "inner");

        assertThat(of("inner")).isEqualTo(Evidence.RAN);
        assertThat(of("another")).isEqualTo(Evidence.DID_NOT_RUN);
    }

    @Test
    void aBuildMayLeaveOutWhatHasATag() throws IOException {
        report("", "one");

        assertThat(of("tagged")).isEqualTo(Evidence.UNKNOWN);
    }

    @Test
    void aClassThatWasSkippedAsAWholeSaysNothing() throws IOException {
        report("", "");

        assertThat(of("one")).isEqualTo(Evidence.UNKNOWN);
        assertThat(of("orders")).isEqualTo(Evidence.UNKNOWN);
    }

    @Test
    void aRunOfSelectedTestsSaysNothing() throws IOException {
        report("<property name=\"test\" value=\"OrdersTest#other\"/>", "the other one");

        assertThat(of("one")).isEqualTo(Evidence.UNKNOWN);
    }

    @Test
    void aReportThatIsOlderThanTheSourceSaysNothing() throws IOException {
        Path report = report("", "the other one");
        Files.setLastModifiedTime(report, FileTime.from(Instant.now().minusSeconds(3600)));

        assertThat(of("one")).isEqualTo(Evidence.UNKNOWN);
    }

    @Test
    void aReportThatIsBeingWrittenSaysNothing() throws IOException {
        Files.writeString(report("", "the other one"), "<testsuite><testcase name=\"the oth");

        assertThat(of("one")).isEqualTo(Evidence.UNKNOWN);
    }

    @Test
    void theReportsOfThisBuildAreWhereThisClassWasBuilt() {
        assertThat(Repository.ROOT
                        .resolve("examples")
                        .resolve(TestReports.ofThisBuild().target()))
                .isDirectoryContaining("glob:**/test-classes");
    }
}
