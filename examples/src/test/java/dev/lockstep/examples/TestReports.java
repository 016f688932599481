package dev.lockstep.examples;

import dev.lockstep.examples.TestSources.Found;
import dev.lockstep.examples.TestSources.TestMethod;
import dev.lockstep.examples.TestSources.TestType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * What surefire reported about tests in the modules that were built before.
 *
 * <p>A report counts only if it can be relied on: it is newer than the source of its class, was not made by a run of selected tests
 * ({@code -Dtest}), and has other tests of the class. A module that is built later, or a class that a build leaves out, has none, and nothing is
 * known about its tests then.
 *
 * @param target the name of the directory that each module is built in
 */
record TestReports(String target) {
    private static final String SOURCES = "/src/test/java/";

    /** What is known about a test. */
    enum Evidence {
        RAN,
        DID_NOT_RUN,
        UNKNOWN
    }

    /** The reports of the build that runs this test. */
    static TestReports ofThisBuild() {
        Path classes = Path.of(TestReports.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath());
        return new TestReports(classes.getParent().getFileName().toString());
    }

    /** What the report of its class says about a test. */
    Evidence of(Found test) {
        Path report = report(test.runner());
        if (!isNewer(report, test.runner().file())) {
            return Evidence.UNKNOWN;
        }
        try {
            DocumentBuilder reader = DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder();
            reader.setErrorHandler(null); // it would print what is caught here
            Document read = reader.parse(report.toFile());
            return isOfSelectedTests(read)
                            || test.method().filter(TestMethod::tagged).isPresent()
                    ? Evidence.UNKNOWN
                    : evidence(attributes(read, "testcase", "name").toList(), test);
        } catch (SAXException e) {
            return Evidence.UNKNOWN; // another thread of the build is about to write it
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ParserConfigurationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Evidence evidence(List<String> reported, Found test) {
        boolean anyRan =
                reported.stream().anyMatch(name -> test.tests().stream().anyMatch(each -> names(name, each)));
        boolean ran = test.method()
                .map(method -> reported.stream().anyMatch(name -> names(name, method)))
                .orElse(anyRan);
        if (ran) {
            return Evidence.RAN;
        }
        return anyRan ? Evidence.DID_NOT_RUN : Evidence.UNKNOWN; // the whole class may be skipped, for want of a server
    }

    /** A report names a test by its display name or its method, with parameters and a number behind it. */
    private static boolean names(String reported, TestMethod method) {
        return Stream.concat(Stream.of(method.name()), method.label().stream())
                .anyMatch(name -> spaced(reported).matches("(?s)\\Q" + spaced(name) + "\\E([\\[({ ].*)?"));
    }

    /** Some display names have blanks for underscores. */
    private static String spaced(String name) {
        return name.replace('_', ' ');
    }

    /** Tests of classes inside another one are in the report of that. */
    private Path report(TestType runner) {
        String file = runner.file().toString().replace('\\', '/');
        int source = file.indexOf(SOURCES);
        String outer = file.substring(source + SOURCES.length(), file.length() - ".java".length());
        return Path.of(
                file.substring(0, source), target, "surefire-reports", "TEST-" + outer.replace('/', '.') + ".xml");
    }

    private static boolean isNewer(Path report, Path source) {
        try {
            return Files.exists(report)
                    && Files.getLastModifiedTime(report).compareTo(Files.getLastModifiedTime(source)) >= 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isOfSelectedTests(Document report) {
        return attributes(report, "property", "name").anyMatch("test"::equals);
    }

    private static Stream<String> attributes(Document report, String element, String attribute) {
        NodeList nodes = report.getElementsByTagName(element);
        return IntStream.range(0, nodes.getLength()).mapToObj(i -> ((Element) nodes.item(i)).getAttribute(attribute));
    }
}
