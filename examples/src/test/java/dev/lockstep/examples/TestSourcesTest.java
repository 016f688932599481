package dev.lockstep.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What counts as a test that runs, and what only looks like one. */
class TestSourcesTest {
    private static final String IMPORTS = """
            import org.junit.jupiter.api.*;
            import org.junit.jupiter.params.ParameterizedTest;
            import org.junit.jupiter.params.provider.*;
            """;

    @TempDir
    private Path module;

    private final List<Path> files = new ArrayList<>();

    @BeforeEach
    void writeSources() throws IOException {
        write("src/test/java/shop/OrdersTest.java", "package shop;\n" + IMPORTS + """
                @DisplayName("orders of a shop")
                class OrdersTest {
                    // @Test void inAComment() {}
                    static final String TEXT = "a text";

                    @Test void isATest() {}

                    @Test @DisplayName("has a " + "display name") void labelled() {}

                    @Test @Disabled void isDisabled() {}

                    void isAHelper() {}

                    @ParameterizedTest @CsvSource({"first row, 1", "second row, 2"}) void csv(String name, int n) {}

                    @ParameterizedTest @CsvSource(delimiter = '|', textBlock = \"""
                            third row | 3
                            \""") void block(String name, int n) {}

                    @ParameterizedTest @ValueSource(strings = "a value") void values(String value) {}

                    @Nested class Inner {
                        @Test void isInside() {}
                    }

                    class NotNested {
                        @Test void isNeverFound() {}
                    }

                    @Disabled @Nested class Off {
                        @Test void isOff() {}
                    }
                }
                """);
        write("src/test/java/shop/OtherTest.java", """
                package shop;
                import shop.annotations.Test;
                class OtherTest {
                    @Test void isAnotherAnnotation() {}
                    @org.junit.jupiter.api.Test void isWrittenInFull() {}
                }
                """);
        write("src/test/java/shop/Orders.java", "package shop;\n" + IMPORTS + """
                class Orders {
                    @Test void isInAClassThatSurefireLeavesOut() {}
                }
                """);
        write("src/test/java/shop/LonelyContract.java", "package shop;\n" + IMPORTS + """
                interface LonelyContract {
                    @Test default void isRunByNobody() {}
                }
                """);
        write("src/main/java/kit/StoreContract.java", "package kit;\n" + IMPORTS + """
                public interface StoreContract<T> {
                    @Test @DisplayName("a promise") default void promise() {}
                    @Test default void isTakenBack() {}
                }
                """);
        write("src/test/java/shop/AbstractStoreTest.java", """
                package shop;
                import kit.StoreContract;
                abstract class AbstractStoreTest implements StoreContract<String> {}
                """);
        write("src/test/java/shop/StoreTest.java", """
                package shop;
                class StoreTest extends AbstractStoreTest {
                    @Override public void isTakenBack() {}
                }
                """);
        write("src/test/java/shop/KeysPropertyTest.java", """
                package shop;
                import net.jqwik.api.*;
                @Label("keys")
                class KeysPropertyTest {
                    @Property @Label("are sorted") void sorted() {}
                    @Example void one() {}
                }
                """);
    }

    private void write(String name, String text) throws IOException {
        Path file = module.resolve(name);
        Files.createDirectories(file.getParent());
        files.add(Files.writeString(file, text));
    }

    @ParameterizedTest
    @CsvSource({
        "OrdersTest, isATest",
        "OrdersTest, labelled",
        "OrdersTest, has a display name",
        "OrdersTest, orders of a shop",
        "OrdersTest, first row",
        "OrdersTest, second row",
        "OrdersTest, third row",
        "OrdersTest, a value",
        "OrdersTest, isInside",
        "OtherTest, isWrittenInFull",
        "StoreContract, a promise",
        "AbstractStoreTest, a promise",
        "StoreTest, promise",
        "KeysPropertyTest, are sorted",
        "KeysPropertyTest, keys",
        "KeysPropertyTest, one",
    })
    void aTestThatRunsIsFound(String className, String text) {
        assertThat(TestSources.of(files).find(className, text)).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "OrdersTest, inAComment",
        "OrdersTest, a text",
        "OrdersTest, isDisabled",
        "OrdersTest, isAHelper",
        "OrdersTest, isNeverFound",
        "OrdersTest, isOff",
        "OtherTest, isAnotherAnnotation",
        "OtherTest, isATest",
        "Orders, isInAClassThatSurefireLeavesOut",
        "LonelyContract, isRunByNobody",
        "StoreContract, isTakenBack",
        "StoreTest, isTakenBack",
    })
    void whatOnlyLooksLikeATestIsNot(String className, String text) {
        assertThat(TestSources.of(files).find(className, text)).isEmpty();
    }

    @Test
    void aTestOfAContractIsRunByTheClassThatImplementsIt() {
        assertThat(TestSources.of(files).find("StoreContract", "a promise"))
                .extracting(found -> found.runner().name())
                .containsExactly("shop.StoreTest");
    }
}
