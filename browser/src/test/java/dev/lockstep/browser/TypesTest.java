package dev.lockstep.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The types of the package, as TypeScript's own compiler reads them. It runs in the browser, so that no other engine is needed. */
@UsesChromium
@Tag("once")
class TypesTest {
    private static final String COMPILE = """
            await new Promise((resolve, reject) => {
              const script = document.createElement('script');
              script.src = '/typescript.js';
              script.onload = resolve;
              script.onerror = () => reject(new Error('typescript.js was not loaded'));
              document.head.append(script);
            });
            const files = new Map(Object.entries(given));
            const options = {
              strict: true, noEmit: true, types: [], target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext,
              moduleResolution: ts.ModuleResolutionKind.Bundler,
            };
            const program = ts.createProgram(['/app/main.ts'], options, {
              fileExists: name => files.has(name),
              readFile: name => files.get(name),
              getSourceFile: (name, version) =>
                files.has(name) ? ts.createSourceFile(name, files.get(name), version) : undefined,
              getDefaultLibFileName: () => '/lib/lib.esnext.full.d.ts',
              getDefaultLibLocation: () => '/lib',
              getCurrentDirectory: () => '/app',
              getCanonicalFileName: name => name,
              useCaseSensitiveFileNames: () => true,
              getNewLine: () => '\\n',
              writeFile: () => {},
            });
            const text = ({ file, start, messageText }) =>
              `${file?.fileName}:${file ? file.getLineAndCharacterOfPosition(start).line + 1 : 0} `
                + ts.flattenDiagnosticMessageText(messageText, ' ');
            return ts.getPreEmitDiagnostics(program).map(text);
            """;

    @Test
    @DisplayName("A page in strict TypeScript compiles with the package's types, and the types themselves do")
    void strict(Tabs tabs) throws IOException {
        assertThat(errorsIn(tabs, example())).isEmpty();
    }

    @Test
    @DisplayName("What the package doesn't offer is an error")
    void mistakes(Tabs tabs) throws IOException {
        String wrong = example();
        for (String[] each : new String[][] {
            {"maxWaitMs: 2_000", "maxWaitSeconds: 2"},
            {"reason: 'completed'", "reason: 'done'"},
            {"event.lease?.expiresAt", "event.lease.expiresAt"},
            {"'acquire-timeout'", "'timeout'"}
        }) {
            assertThat(wrong).contains(each[0]);
            wrong = wrong.replace(each[0], each[1]);
        }
        List<?> errors = errorsIn(tabs, wrong);
        assertThat(errors).hasSize(4);
        assertThat(errors.toString()).contains("maxWaitSeconds", "\"done\"", "possibly 'undefined'", "no overlap");
    }

    private static String example() {
        try (InputStream file = TypesTest.class.getResourceAsStream("uses-types.ts")) {
            return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<?> errorsIn(Tabs tabs, String main) throws IOException {
        Map<String, String> files = new HashMap<>();
        files.put("/app/main.ts", main);
        try (Stream<Path> published = Files.list(Path.of("package"))) {
            for (Path file : published.filter(TypesTest::isRead).toList()) {
                files.put("/app/node_modules/lockstep-project-lock/" + file.getFileName(), Files.readString(file));
            }
        }
        try (JarFile compiler = compiler()) {
            compiler.stream()
                    .filter(entry -> entry.getName().matches(".*/lib/lib\\..*\\.d\\.ts"))
                    .forEach(entry -> files.put(
                            "/lib/" + entry.getName().replaceFirst(".*/", ""), text(compiler, entry.getName())));
            String code = compiler.stream()
                    .map(entry -> entry.getName())
                    .filter(name -> name.endsWith("/lib/typescript.js"))
                    .findFirst()
                    .orElseThrow();
            tabs.serve("/typescript.js", text(compiler, code));
        }
        return (List<?>) Objects.requireNonNull(tabs.open().run(COMPILE, files));
    }

    private static boolean isRead(Path file) {
        return file.toString().endsWith(".d.ts") || file.endsWith("package.json");
    }

    /** A private copy of the connection's jar, so that it can be closed. */
    private static JarFile compiler() throws IOException {
        URL license = Objects.requireNonNull(
                TypesTest.class.getResource("/META-INF/maven/org.webjars.npm/typescript/pom.properties"));
        JarURLConnection connection = (JarURLConnection) license.openConnection();
        connection.setUseCaches(false);
        return connection.getJarFile();
    }

    private static String text(JarFile jar, String name) {
        try (InputStream entry = jar.getInputStream(jar.getEntry(name))) {
            return new String(entry.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
