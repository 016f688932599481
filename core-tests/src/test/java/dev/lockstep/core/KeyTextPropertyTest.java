package dev.lockstep.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.internal.KeyText;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.PropertyDefaults;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.Tuple;
import net.jqwik.api.Tuple.Tuple2;

@Label("keys as text, bytes and in order")
@PropertyDefaults(edgeCases = EdgeCasesMode.NONE)
@Tag("once") // its subject is the model
class KeyTextPropertyTest {
    private static final Kinds KINDS = Kinds.of(Estate.values());

    // ---- round trips

    @Property(tries = 3000)
    @Label("parse reads back what toString wrote")
    void roundTrip(@ForAll("keys") LockKey key) {
        LockKey read = KINDS.parse(key.toString());
        assertThat(read).isEqualTo(key).hasSameHashCodeAs(key).isEqualByComparingTo(key);
        assertThat(ids(read)).isEqualTo(ids(key));
        assertThat(read.toString()).isEqualTo(key.toString());
    }

    @Property
    @Label("parse reads back what named wrote")
    void namedRoundTrip(@ForAll("flat") LockKey key) {
        String named = key.named();
        assertThat(KINDS.parse(named)).isEqualTo(key);
        assertThat(named).startsWith(key.rank() < 10 ? "0" + key.rank() + ":" : key.rank() + ":");
    }

    @Property
    @Label("the text survives UTF-8, and has one '/' between levels and one ':' in each")
    void survivesUtf8(@ForAll("keys") LockKey key) throws CharacterCodingException {
        String text = key.toString();
        ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(java.nio.CharBuffer.wrap(text));
        assertThat(StandardCharsets.UTF_8.newDecoder().decode(bytes).toString()).isEqualTo(text);
        assertThat(text.chars().filter(c -> c == '/').count()).isEqualTo(key.depth() - 1);
        assertThat(text.chars().filter(c -> c == ':').count()).isEqualTo(key.depth());
        assertThat(text.chars()).noneMatch(Character::isISOControl);
    }

    @Property(tries = 50)
    @Label("a very long id makes the same round trip")
    void longIds(@ForAll("ids") String piece) {
        LockKey key = Estate.USER.key(piece.repeat(1 + 200_000 / piece.length()));
        assertThat(KINDS.parse(key.toString())).isEqualTo(key);
    }

    // ---- nothing is mistaken for something else

    @Property(tries = 3000)
    @Label("two keys have the same text or the same bytes only if they are equal")
    void injective(@ForAll("nearKeys") Tuple2<LockKey, LockKey> pair) {
        LockKey one = pair.get1();
        LockKey other = pair.get2();
        boolean same = one.kind() == other.kind() && ids(one).equals(ids(other));
        assertThat(one.equals(other)).isEqualTo(same);
        assertThat(one.toString().equals(other.toString())).isEqualTo(same);
        assertThat(Arrays.equals(one.canonicalBytes(), other.canonicalBytes())).isEqualTo(same);
        if (same) {
            assertThat(one).hasSameHashCodeAs(other);
        }
    }

    @Property
    @Label("(\"a\", \"bc\") is not (\"ab\", \"c\")")
    void splitElsewhere(@ForAll("ids") String whole, @ForAll int firstCut, @ForAll int secondCut) {
        String text = whole + "xy";
        LockKey one = cut(text, Math.floorMod(firstCut, text.length() - 1) + 1);
        LockKey other = cut(text, Math.floorMod(secondCut, text.length() - 1) + 1);
        boolean same = ids(one).equals(ids(other));
        assertThat(one.equals(other)).isEqualTo(same);
        assertThat(Arrays.equals(one.canonicalBytes(), other.canonicalBytes())).isEqualTo(same);
        assertThat(one.toString().equals(other.toString())).isEqualTo(same);
    }

    private static LockKey cut(String text, int at) {
        return Estate.USER.key(text.substring(0, at)).child(Estate.ACCOUNT, text.substring(at));
    }

    @Property
    @Label("the caller's copy of the bytes is its own")
    void bytesAreCopied(@ForAll("keys") LockKey key) {
        byte[] before = key.canonicalBytes();
        key.canonicalBytes()[0] ^= 1;
        assertThat(key.canonicalBytes()).isEqualTo(before);
    }

    // ---- order

    @Property(tries = 3000)
    @Label("the order is rank, prefix, then the ids' bytes from the top down")
    void orderIsTheBytes(@ForAll("nearKeys") Tuple2<LockKey, LockKey> pair) {
        LockKey one = pair.get1();
        LockKey other = pair.get2();
        assertThat(Integer.signum(one.compareTo(other))).isEqualTo(Integer.signum(naiveOrder(one, other)));
        assertThat(one.compareTo(other) == 0).isEqualTo(one.equals(other));
        assertThat(Integer.signum(other.compareTo(one))).isEqualTo(-Integer.signum(one.compareTo(other)));
    }

    @Property
    @Label("the order is transitive: sorting gives the naive order")
    void orderSorts(@ForAll("manyKeys") List<LockKey> keys) {
        List<LockKey> sorted = new ArrayList<>(keys);
        sorted.sort(Comparator.naturalOrder());
        List<LockKey> expected = new ArrayList<>(keys);
        expected.sort(KeyTextPropertyTest::naiveOrder);
        assertThat(sorted).isEqualTo(expected);
    }

    @Property
    @Label("an ancestor comes before what is in it")
    void ancestorsFirst(@ForAll("keys") LockKey key) {
        for (int up = 1; up < key.depth(); up++) {
            assertThat(key.ancestor(up)).isLessThan(key);
            assertThat(key.ancestor(up).isAncestorOf(key)).isTrue();
            assertThat(key.isAncestorOf(key.ancestor(up))).isFalse();
            assertThat(key.ancestor(up).root()).isEqualTo(key.root());
        }
        assertThat(key.isAncestorOf(key)).isFalse();
    }

    @Property
    @Label("rank 100 comes after rank 2, and kinds of one rank are ordered by prefix")
    void ranksAreNumbers(@ForAll("ids") String one, @ForAll("ids") String other) {
        assertThat(loose("a", 100).key(one)).isGreaterThan(loose("b", 2).key(other));
        assertThat(loose("b", 7).key(one)).isGreaterThan(loose("a", 7).key(other));
    }

    private static LockKind loose(String prefix, int rank) {
        return new LockKind() {
            @Override
            public String prefix() {
                return prefix;
            }

            @Override
            public int rank() {
                return rank;
            }

            @Override
            public Optional<LockKind> parent() {
                return Optional.empty();
            }
        };
    }

    private static int naiveOrder(LockKey one, LockKey other) {
        int byRank = Long.signum((long) one.kind().rank() - other.kind().rank());
        if (byRank != 0) {
            return byRank;
        }
        int byPrefix = one.kind().prefix().compareTo(other.kind().prefix());
        if (byPrefix != 0) {
            return byPrefix;
        }
        for (int i = 0; i < ids(one).size(); i++) {
            int byId = Arrays.compareUnsigned(
                    wtf8(ids(one).get(i)), wtf8(ids(other).get(i)));
            if (byId != 0) {
                return byId;
            }
        }
        return 0;
    }

    /** UTF-8 by the JDK's encoder, except for lone surrogates, whose three bytes are put together here. */
    private static byte[] wtf8(String id) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int at = 0; at < id.length(); at += Character.charCount(id.codePointAt(at))) {
            int codePoint = id.codePointAt(at);
            if (codePoint >= 0xD800 && codePoint <= 0xDFFF) {
                out.write(0xED);
                out.write(0x80 + (codePoint - 0xD000) / 64);
                out.write(0x80 + codePoint % 64);
            } else {
                out.writeBytes(Character.toString(codePoint).getBytes(StandardCharsets.UTF_8));
            }
        }
        return out.toByteArray();
    }

    // ---- broken texts

    @Property(tries = 5000)
    @Label("any text is either a key, which can be written and read again, or an InvalidRequestException")
    void neverAnotherError(@ForAll("texts") String text) {
        LockKey key;
        try {
            key = KINDS.parse(text);
        } catch (InvalidRequestException e) {
            assertThat(e.getMessage()).isNotBlank();
            assertThat(e.code()).isEqualTo(ErrorCode.INVALID_REQUEST);
            return;
        }
        assertThat(ids(key)).noneMatch(String::isEmpty);
        assertThat(KINDS.parse(key.toString())).isEqualTo(key);
    }

    @Property
    @Label("a text that is cut, or has something put into its structure, is refused or means another key")
    void damageIsNoticed(@ForAll("keys") LockKey key, @ForAll int place, @ForAll("damage") String damage) {
        String text = key.toString();
        int at = Math.floorMod(place, text.length() + 1);
        String damaged = text.substring(0, at) + damage + text.substring(at);
        try {
            assertThat(KINDS.parse(damaged)).isNotEqualTo(key);
        } catch (InvalidRequestException e) {
            assertThat(e.getMessage()).isNotBlank();
        }
    }

    // ---- what is generated

    private static List<String> ids(LockKey key) {
        List<String> ids = new ArrayList<>();
        for (int up = key.depth() - 1; up >= 0; up--) {
            ids.add(key.ancestor(up).id());
        }
        return ids;
    }

    @Provide
    Arbitrary<String> ids() {
        Arbitrary<String> piece = Arbitraries.frequencyOf(
                Tuple.of(4, Arbitraries.of("/", ":", "%", "%2F", "\0", "\n", "\u007f", "\u0085", "a", "bc", "0", " ")),
                Tuple.of(2, Arbitraries.chars().range('\ud800', '\udbff').map(String::valueOf)),
                Tuple.of(2, Arbitraries.chars().range('\udc00', '\udfff').map(String::valueOf)),
                Tuple.of(2, Arbitraries.integers().between(0x10000, 0x10FFFF).map(Character::toString)),
                Tuple.of(1, Arbitraries.of("\u07ff", "\u0800", "\ud7ff", "\ue000", "\uffff", "\u0080", "é", "日本")),
                Tuple.of(3, Arbitraries.chars().all().map(String::valueOf)));
        return piece.list().ofMinSize(1).ofMaxSize(6).map(pieces -> String.join("", pieces));
    }

    @Provide
    Arbitrary<LockKey> flat() {
        return Combinators.combine(Arbitraries.of(Estate.USER, Estate.ITEM), ids())
                .as((kind, id) -> kind.key(id));
    }

    @Provide
    Arbitrary<LockKey> keys() {
        return Combinators.combine(Arbitraries.of(Estate.class), ids().list().ofSize(4))
                .as(KeyTextPropertyTest::key);
    }

    private static LockKey key(Estate kind, List<String> ids) {
        List<LockKind> chain = new ArrayList<>();
        for (LockKind each = kind; each != null; each = each.parent().orElse(null)) {
            chain.add(0, each);
        }
        LockKey key = chain.get(0).key(ids.get(0));
        for (int i = 1; i < chain.size(); i++) {
            key = key.child(chain.get(i), ids.get(i));
        }
        return key;
    }

    /** Two keys that have much in common, as different keys of real programs do. */
    @Provide
    Arbitrary<Tuple2<LockKey, LockKey>> nearKeys() {
        return Combinators.combine(
                        Arbitraries.of(Estate.class),
                        Arbitraries.of(Estate.class),
                        ids().list().ofSize(4),
                        ids().list().ofSize(4),
                        Arbitraries.integers().between(0, 7),
                        Arbitraries.integers().between(0, 3))
                .as((kind, otherKind, ids, fresh, what, place) -> {
                    List<String> near = new ArrayList<>(ids);
                    String id = ids.get(place);
                    switch (what) {
                        case 0 -> near.set(place, fresh.get(0));
                        case 1 -> near.set(place, id + fresh.get(0));
                        case 2 -> near.set(place, id.substring(0, Math.max(1, id.length() - 1)) + fresh.get(0));
                        case 3 -> near.set(place, KeyText.escape(id));
                        case 4 -> near.set(place, fresh.get(0) + id);
                        default -> {}
                    }
                    return Tuple.of(key(kind, ids), key(what % 2 == 0 ? kind : otherKind, near));
                });
    }

    @Provide
    Arbitrary<List<LockKey>> manyKeys() {
        return keys().list().ofMinSize(2).ofMaxSize(12);
    }

    @Provide
    Arbitrary<String> damage() {
        return Arbitraries.of(
                "/", ":", "%", "%4", "%zz", "%80", "%C3", "%F8%80%80%80", "%F4%90%80%80", "/user:x", "user:");
    }

    @Provide
    Arbitrary<String> texts() {
        Arbitrary<String> token = Arbitraries.frequencyOf(
                Tuple.of(3, Arbitraries.of("user", "account", "resource", "item", "no-kind", "")),
                Tuple.of(4, Arbitraries.of("/", ":", "//", "::", "%", "/account:", "user:", "item:", "02:item:")),
                Tuple.of(2, Arbitraries.of("02", "2", "99999999999999999999", "0000000002", "-2", "\u0663", "02:")),
                Tuple.of(
                        2,
                        Arbitraries.of(
                                "%41", "%", "%C0%AF", "%ED%A0%80", "%F4%90%80%80", "%FF", "%4", "%\uff11\uff12")),
                Tuple.of(2, ids()));
        return token.list().ofMaxSize(8).map(tokens -> String.join("", tokens));
    }
}
