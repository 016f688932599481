package dev.lockstep.spring.locked;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.Kinds;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockRequest;
import dev.lockstep.spring.Locked;
import dev.lockstep.testkit.Tenancy;
import java.lang.reflect.Method;
import java.nio.CharBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What keys a template stands for, call by call. */
@Tag("once")
class KeyTemplateTest {
    private final LockedMethodReader reader = new LockedMethodReader(
            Kinds.of(Tenancy.values()), text -> text.replace("${tenant}", "te/nant"), "billing@web-1:4711");

    interface Accounts {
        @Locked("user:#{#u}/account:#{#a}")
        void account(@Nullable Object u, @Nullable Object a);

        @Locked("user:main/account:acc-#{#n}-#{#n + 1}")
        void mixed(int n);

        @Locked("user:#{#p0}/account:#{#a1}/resource:#{#root.args[2]}")
        void byNumber(String x, String y, String z);

        @Locked("user:#{#root.methodName}-${tenant}")
        void byRoot();

        @Locked("user:#{args[0].?[length() > 1].![bytes.length]}-#{methodName}-#{#m[key]}-#{#list.class.simpleName}")
        void propertiesOfOthers(List<String> list, Map<String, String> m);

        @Locked("user:#{#m['}']}")
        void braces(Map<String, String> m);

        @Locked(
                value = "user:#{#u}/account:a",
                shared = {"user:s", "user:t"},
                within = "500ms",
                atMost = "PT2S",
                owner = "me")
        void everything(String u);

        @Locked(value = "user:u", within = "0s")
        void withoutWaiting();
    }

    private LockedMethod method(String name) {
        Method method = Arrays.stream(Accounts.class.getDeclaredMethods())
                .filter(each -> each.getName().equals(name))
                .findAny()
                .orElseThrow();
        return reader.read(method, Accounts.class, Objects.requireNonNull(method.getAnnotation(Locked.class)));
    }

    private LockRequest request(String name, @Nullable Object... arguments) {
        return method(name).request(this, arguments);
    }

    private List<LockKey> keys(String name, @Nullable Object... arguments) {
        return request(name, arguments).keys();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "u1",
                "u1/account:a2",
                "a/b",
                "a:b",
                "user:x",
                "%2F",
                "100%",
                "#{1}",
                "${tenant}",
                " ",
                "\u0000",
                "日本"
            })
    void aValueIsOneIdWhateverIsInIt(String value) {
        assertThat(keys("account", value, "a")).containsExactly(Tenancy.account(value, "a"));
        assertThat(keys("account", "u", value)).containsExactly(Tenancy.account("u", value));
    }

    static Stream<Arguments> ids() {
        UUID uuid = UUID.randomUUID();
        return Stream.of(
                Arguments.of(7, "7"),
                Arguments.of(7L, "7"),
                Arguments.of(uuid, uuid.toString()),
                Arguments.of(Tenancy.USER, "USER"),
                Arguments.of(Optional.of("u"), "u"),
                Arguments.of('c', "c"),
                Arguments.of(CharBuffer.wrap("text"), "text"));
    }

    @ParameterizedTest
    @MethodSource("ids")
    void whatHasATextIsAnId(Object value, String id) {
        assertThat(keys("account", value, "a")).containsExactly(Tenancy.account(id, "a"));
    }

    @Test
    void anIdMayMixTextAndExpressions() {
        assertThat(keys("mixed", 4)).containsExactly(Tenancy.account("main", "acc-4-5"));
    }

    @Test
    void argumentsCanBeNamedByNumberAndByTheRoot() {
        assertThat(keys("byNumber", "1", "2", "3")).containsExactly(Tenancy.resource("1", "2", "3"));
    }

    @Test
    void namesWithoutNumberSignAreOfTheRootOrOfElementsEntriesAndResults() {
        assertThat(keys("propertiesOfOthers", new ArrayList<>(List.of("a", "bc")), Map.of("key", "x")))
                .containsExactly(Tenancy.user("2-propertiesOfOthers-x-ArrayList"));
    }

    @Test
    void aPropertyIsPartOfOneIdToo() {
        assertThat(keys("byRoot")).containsExactly(Tenancy.user("byRoot-te/nant"));
    }

    @Test
    void anExpressionMayHoldItsOwnEndInQuotes() {
        assertThat(keys("braces", Map.of("}", "x"))).containsExactly(Tenancy.user("x"));
    }

    @Test
    void collectionsAndArraysStandForAKeyForEachElement() {
        assertThat(keys("account", List.of("1", "2"), new int[] {3, 4}))
                .containsExactly(
                        Tenancy.account("1", "3"),
                        Tenancy.account("1", "4"),
                        Tenancy.account("2", "3"),
                        Tenancy.account("2", "4"));
    }

    @Test
    void aProductTooGreatIsRefusedBeforeItIsMade() {
        List<Integer> many = IntStream.range(0, 101).boxed().toList();
        assertThatThrownBy(() -> keys("account", many, many))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("stand for 10201 keys, and 10000 are the most. Lock what contains them.");
    }

    static Stream<Arguments> noIds() {
        return Stream.of(
                Arguments.of(null, "is null"),
                Arguments.of("", "is an empty text"),
                Arguments.of(Optional.empty(), "is null"),
                Arguments.of(List.of(), "is empty, so it names nothing to lock"),
                Arguments.of(new String[0], "is empty, so it names nothing to lock"),
                Arguments.of(Arrays.asList("u", null), "has an element that is"),
                Arguments.of(List.of(List.of("u")), "whose text names no id"),
                Arguments.of(new Object(), "is a java.lang.Object, whose text names no id. Name its id, such as"),
                Arguments.of(Map.of("u", "v"), "is a map"),
                Arguments.of(new byte[] {1}, "is an array of bytes"));
    }

    @ParameterizedTest
    @MethodSource("noIds")
    void whatIsNoIdIsRefusedWithMethodTemplateAndExpression(@Nullable Object value, String what) {
        assertThatThrownBy(() -> keys("account", value, "a"))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageStartingWith("@Locked on " + Accounts.class.getName()
                        + ".account(Object, Object), key 'user:#{#u}/account:#{#a}': #{#u} ")
                .hasMessageContaining(what);
    }

    @Test
    void anExpressionThatFailsIsARefusalToo() {
        assertThatThrownBy(() -> keys("braces", (Object) null))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("braces(Map), key 'user:#{#m['}']}': #{#m['}']} can't be worked out");
    }

    @Test
    void allOptionsReachTheRequest() {
        LockRequest request = request("everything", "u");
        assertThat(request).hasToString("exclusive[user:u/account:a]shared[user:s, user:t]");
        assertThat(request.longestWait()).contains(Duration.ofMillis(500));
        assertThat(request.owner()).contains("me");
        assertThat(method("everything").options().atMost()).isEqualTo(Duration.ofSeconds(2));
        assertThat(request("mixed", 1).owner()).contains("billing@web-1:4711 Accounts.mixed");
        assertThat(request("mixed", 1).longestWait()).isEmpty();
    }

    @Test
    void zeroMeansNotToWait() {
        assertThat(request("withoutWaiting").longestWait()).contains(Duration.ZERO);
    }
}
