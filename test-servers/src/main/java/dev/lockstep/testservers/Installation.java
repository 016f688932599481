package dev.lockstep.testservers;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A server's programs and first data, unpacked once per machine and user.
 *
 * @param recipe how it was made, and how a server is started
 * @param directory where it is
 */
record Installation(ServerRecipe recipe, Path directory) {
    /** Goes up when what a recipe makes changes, so that no one uses what an older one made. */
    private static final int LAYOUT = 1;

    /** Kinds whose programs lack a library here: they are not unpacked again for every test. */
    private static final Map<ServerKind, MissingLibraryException> UNUSABLE = new EnumMap<>(ServerKind.class);

    Path programs() {
        return directory.resolve("programs");
    }

    Path template() {
        return directory.resolve("data");
    }

    /** The one of this kind; made first if it is not there yet. */
    static Installation of(ServerKind kind) throws IOException {
        return of(kind, cache());
    }

    static synchronized Installation of(ServerKind kind, Path cache) throws IOException {
        String name = "%s-%s-%d".formatted(kind.id(), Archives.version(kind), LAYOUT);
        Installation wanted = new Installation(kind.recipe(), cache.resolve(name));
        MissingLibraryException unusable = UNUSABLE.get(kind);
        if (unusable != null) {
            throw unusable;
        }
        if (!Files.isDirectory(wanted.directory)) {
            try {
                wanted.makeOnce(kind);
            } catch (MissingLibraryException e) {
                UNUSABLE.put(kind, e);
                throw e;
            }
        }
        wanted.recipe.adapt(wanted.programs());
        return wanted;
    }

    /** Other JVMs wait at the file lock, and then find it made. */
    private void makeOnce(ServerKind kind) throws IOException {
        Path archive = Archives.of(kind);
        Files.createDirectories(directory.resolveSibling("."));
        Path lockFile = directory.resolveSibling(directory.getFileName() + ".lock");
        try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                var lock = channel.lock()) {
            if (lock.isValid() && !Files.isDirectory(directory)) {
                make(archive);
            }
        }
    }

    /** It gets its name when it is whole and on the disk. What a killed JVM left behind is removed. */
    private void make(Path archive) throws IOException {
        Installation draft = new Installation(recipe, directory.resolveSibling(directory.getFileName() + ".tmp"));
        new ServerCommand(List.of("rm", "-rf", draft.directory.toString())).run();
        Files.createDirectories(draft.programs());
        recipe.unpack(archive, draft.programs());
        recipe.adapt(draft.programs());
        recipe.initialise(draft.programs(), draft.template());
        new ServerCommand(List.of("sync", "-f", draft.directory.toString())).run();
        Files.move(draft.directory, directory, StandardCopyOption.ATOMIC_MOVE);
    }

    static Path cache() {
        String chosen = firstSet(System.getProperty("lockstep.servers"), System.getenv("LOCKSTEP_SERVERS"));
        return chosen != null ? Path.of(chosen) : Path.of(System.getProperty("user.home"), ".cache/lockstep/servers");
    }

    private static @Nullable String firstSet(@Nullable String property, @Nullable String variable) {
        return property != null && !property.isBlank() ? property : variable;
    }
}
