package dev.lockstep.browser;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Optional;

/** What a page server serves, by path. */
@FunctionalInterface
interface PageFiles {
    /** The content of the file at a path, which starts with a slash. */
    Optional<byte[]> at(String path);

    /** The files that this jar carries for web pages. */
    static PageFiles ofThisJar() {
        return path -> {
            String file = path.endsWith("/") ? path + "index.html" : path;
            return file.contains("..") ? Optional.empty() : read("/META-INF/resources" + file);
        };
    }

    private static Optional<byte[]> read(String resource) {
        try (InputStream in = PageFiles.class.getResourceAsStream(resource)) {
            return in == null ? Optional.empty() : Optional.of(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
