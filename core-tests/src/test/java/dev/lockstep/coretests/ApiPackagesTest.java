package dev.lockstep.coretests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Locks;
import java.io.IOException;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What users can see of core, and which of its packages refer to which. */
@Tag("once") // its subject is the source
class ApiPackagesTest {
    private static final Path CORE = Path.of("../core/src/main/java/dev/lockstep/core");
    private static final String API = Locks.class.getPackageName();
    private static final Pattern HIDDEN = Pattern.compile("dev\\.lockstep\\.core\\.(engine|internal|slots)\\.");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".concurrent",
                ".doctor",
                ".fallback",
                ".leadership",
                ".memory",
                ".permits",
                ".scheduling",
                ".spi"
            })
    void exportedTypesMentionNoHiddenOnes(String exported) throws Exception {
        List<String> seen = new ArrayList<>();
        for (Path file : filesOf(exported)) {
            addVisible(Class.forName(API + exported + "." + typeOf(file)), seen);
        }
        assertThat(seen).isNotEmpty().noneMatch(ApiPackagesTest::mentionsHidden);
    }

    @Test
    void hiddenTypesAreRecognized() throws Exception {
        List<String> seen = new ArrayList<>();
        addVisible(Class.forName("dev.lockstep.core.engine.StoreLocks"), seen);
        assertThat(seen).anyMatch(ApiPackagesTest::mentionsHidden);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".concurrent",
                ".doctor",
                ".fallback",
                ".leadership",
                ".memory",
                ".permits",
                ".scheduling",
                ".slots",
                ".spi",
                ".internal"
            })
    void onlyTheBuilderRefersToTheEngine(String from) throws IOException {
        List<String> referring = new ArrayList<>();
        for (Path file : filesOf(from)) {
            if (Files.readString(file).contains("dev.lockstep.core.engine.")) {
                referring.add(typeOf(file));
            }
        }
        assertThat(referring).isEqualTo(from.isEmpty() ? List.of("LocksBuilder") : List.of());
    }

    @Test
    void theApiPackageStaysSmall() throws IOException {
        assertThat(filesOf("")).hasSizeLessThanOrEqualTo(46); // and package-info
    }

    private static List<Path> filesOf(String name) throws IOException {
        try (Stream<Path> files = Files.list(CORE.resolve(name.replaceFirst("\\.", "")))) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !typeOf(file).equals("package-info"))
                    .sorted()
                    .toList();
        }
    }

    private static String typeOf(Path file) {
        return file.getFileName().toString().replace(".java", "");
    }

    /** Adds what a user's code can refer to, with all types in it. */
    private static void addVisible(Class<?> type, List<String> seen) {
        if (!isVisible(type.getModifiers())) {
            return;
        }
        for (Type above : supertypes(type)) {
            seen.add(type.getName() + " is a " + above.getTypeName());
        }
        Stream.of(type.getDeclaredFields(), type.getDeclaredMethods(), type.getDeclaredConstructors())
                .flatMap(Stream::of)
                .filter(member -> isVisible(((Member) member).getModifiers()))
                .map(member -> member instanceof Field field
                        ? field.toGenericString()
                        : ((Executable) member).toGenericString())
                .forEach(seen::add);
        for (Class<?> nested : type.getDeclaredClasses()) {
            addVisible(nested, seen);
        }
    }

    private static List<Type> supertypes(Class<?> type) {
        List<Type> above = new ArrayList<>(List.of(type.getGenericInterfaces()));
        if (type.getGenericSuperclass() != null) {
            above.add(type.getGenericSuperclass());
        }
        return above;
    }

    private static boolean isVisible(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    private static boolean mentionsHidden(String text) {
        return HIDDEN.matcher(text).find();
    }
}
