package dev.lockstep.testservers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Properties;
import java.util.function.Predicate;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.tukaani.xz.XZInputStream;

/** The archives with the servers' programs, as the build downloads them to Maven's local repository. */
final class Archives {
    private static final Properties WHERE = load();

    private Archives() {}

    static String version(ServerKind kind) {
        return WHERE.getProperty(kind.id() + ".version");
    }

    static Path of(ServerKind kind) {
        Path archive = Path.of(WHERE.getProperty("repository"), WHERE.getProperty(kind.id() + ".archive"));
        if (!Files.isRegularFile(archive)) {
            throw new IllegalStateException(
                    "The archive of %s is missing (%s). To download it: mvn -pl test-servers process-resources"
                            .formatted(kind, archive));
        }
        return archive;
    }

    private static Properties load() {
        Properties properties = new Properties();
        try (InputStream in = resource("archives.properties")) {
            properties.load(in);
            return properties;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static InputStream resource(String name) throws IOException {
        InputStream in = Archives.class.getResourceAsStream(name);
        if (in == null) {
            throw new IOException("the resource " + name + " is missing: mvn -pl test-servers process-resources");
        }
        return in;
    }

    /** Unpacks the wanted files of a folder in a zip file. Files of a folder "bin" become executable. */
    static void unzip(Path archive, String folder, Predicate<String> wanted, Path target) throws IOException {
        try (ZipFile zip = new ZipFile(archive.toFile())) {
            for (ZipEntry entry : zip.stream().toList()) {
                String name = entry.getName();
                if (!entry.isDirectory() && name.startsWith(folder) && wanted.test(name.substring(folder.length()))) {
                    copy(zip.getInputStream(entry), target.resolve(name.substring(folder.length())));
                }
            }
        }
    }

    private static void copy(InputStream content, Path file) throws IOException {
        Path parent = file.resolveSibling(".");
        Files.createDirectories(parent);
        try (content) {
            Files.copy(content, file);
        }
        if (parent.normalize().endsWith("bin")) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    /** Unpacks a .txz file that is in a zip file. */
    static void untar(Path archive, String name, Path target) throws IOException {
        Path tar = target.resolve("programs.tar");
        try (ZipFile zip = new ZipFile(archive.toFile());
                InputStream content = new XZInputStream(zip.getInputStream(zip.getEntry(name)))) {
            Files.copy(content, tar);
        }
        new ServerCommand(List.of("tar", "-xf", tar.toString(), "-C", target.toString())).run();
        Files.delete(tar);
    }
}
