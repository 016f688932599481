package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Packages refer to each other in one direction, except that the builder of the API opens the engine; users see only the API. */
@Tag("once") // its subject is the source
class PackagesTest {
    private static final Path ROOT = Path.of("../inventory/src/main/java/dev/lockstep/inventory");
    private static final String API = Inventory.class.getPackageName();
    private static final Pattern REFERENCE = Pattern.compile("dev\\.lockstep\\.inventory\\.(\\w+)");
    private static final Pattern HIDDEN = Pattern.compile("dev\\.lockstep\\.inventory\\.(sql|books|engine)\\.");
    private static final Set<String> PACKAGES = Set.of("sql", "books", "engine");

    /** The packages that each may refer to, beside the API. */
    private static final Map<String, Set<String>> ALLOWED =
            Map.of("sql", Set.of(), "books", Set.of("sql"), "engine", Set.of("sql", "books"));

    static Set<String> packages() {
        return PACKAGES;
    }

    @Test
    void everyPackageIsListed() throws IOException {
        try (Stream<Path> folders = Files.list(ROOT).filter(Files::isDirectory)) {
            assertThat(folders.map(folder -> folder.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(PACKAGES);
        }
    }

    @ParameterizedTest
    @MethodSource("packages")
    void aPackageRefersOnlyToThoseBelowIt(String name) throws IOException {
        Set<String> allowed = new TreeSet<>(ALLOWED.get(name));
        allowed.add(name);
        for (Path file : files(ROOT.resolve(name))) {
            assertThat(hidden(file)).as(file.toString()).isSubsetOf(allowed);
        }
    }

    @Test
    void thePackageOfTheSqlRefersToNoOther() throws IOException {
        for (Path file : files(ROOT.resolve("sql"))) {
            assertThat(references(file)).as(file.toString()).isSubsetOf("sql");
        }
    }

    @Test
    void onlyTheBuilderOfTheApiRefersToTheEngine() throws IOException {
        for (Path file : files(ROOT)) {
            Set<String> allowed = typeOf(file).equals("InventoryBuilder") ? Set.of("engine", "sql") : Set.of("sql");
            assertThat(hidden(file)).as(file.toString()).isSubsetOf(allowed);
        }
    }

    @Test
    void theApiPackageStaysSmall() throws IOException {
        assertThat(files(ROOT)).hasSizeLessThanOrEqualTo(45);
    }

    @Test
    void typesOfTheApiMentionNoHiddenOnes() throws Exception {
        List<String> seen = new ArrayList<>();
        for (Path file : files(ROOT)) {
            if (!typeOf(file).equals("package-info")) {
                addVisible(Class.forName(API + "." + typeOf(file)), seen);
            }
        }
        assertThat(seen)
                .hasSizeGreaterThan(100)
                .noneMatch(text -> HIDDEN.matcher(text).find());
    }

    private static void addVisible(Class<?> type, List<String> seen) {
        if (!isVisible(type.getModifiers())) {
            return;
        }
        seen.add(type.getGenericSuperclass() + " " + List.of(type.getGenericInterfaces()));
        Stream.of(type.getDeclaredFields(), type.getDeclaredMethods(), type.getDeclaredConstructors())
                .flatMap(Stream::of)
                .filter(member -> isVisible(((Member) member).getModifiers()))
                .map(member -> member instanceof Field field ? field.toGenericString() : member.toString())
                .forEach(seen::add);
        for (Class<?> nested : type.getDeclaredClasses()) {
            addVisible(nested, seen);
        }
    }

    private static boolean isVisible(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }

    private static String typeOf(Path file) {
        return file.getFileName().toString().replace(".java", "");
    }

    /** The hidden packages that a file refers to. */
    private static List<String> hidden(Path file) throws IOException {
        return references(file).stream().filter(PACKAGES::contains).toList();
    }

    private static List<String> references(Path file) throws IOException {
        return REFERENCE
                .matcher(Files.readString(file))
                .results()
                .map(match -> match.group(1))
                .toList();
    }
}
