package dev.lockstep.examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** A pom.xml of this repository, as the tests of the release see it. */
record Pom(Document document) {
    static Pom of(String file) {
        try {
            return new Pom(DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(Repository.ROOT.resolve(file).toFile()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (SAXException | ParserConfigurationException e) {
            throw new AssertionError(file + " can't be read", e);
        }
    }

    /** The modules that go to a repository: those with code that don't say otherwise. */
    static List<Pom> published() {
        try (Stream<Path> modules = Files.list(Repository.ROOT)) {
            return modules.filter(module -> Files.exists(module.resolve("pom.xml")))
                    .filter(module -> Files.exists(module.resolve("src")))
                    .map(module -> of(module.getFileName() + "/pom.xml"))
                    .filter(pom ->
                            pom.all("/project/properties/maven.deploy.skip").isEmpty())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String one(String path) {
        List<String> all = all(path);
        if (all.size() != 1) {
            throw new AssertionError(path + " is there " + all.size() + " times in " + document.getDocumentURI());
        }
        return all.get(0);
    }

    List<String> all(String path) {
        try {
            NodeList nodes =
                    (NodeList) XPathFactory.newInstance().newXPath().evaluate(path, document, XPathConstants.NODESET);
            return IntStream.range(0, nodes.getLength())
                    .mapToObj(i -> nodes.item(i).getTextContent().strip())
                    .toList();
        } catch (XPathExpressionException e) {
            throw new IllegalArgumentException(path, e);
        }
    }
}
