package dev.lockstep.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.lockstep.core.LockMode;
import java.util.Comparator;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The names of entries. */
class EntriesTest {
    private static final Comparator<ByteString> ORDER = ByteString.unsignedLexicographicalComparator();

    private final EtcdNamespace namespace = new EtcdNamespace("orders");

    @ParameterizedTest
    @EnumSource(LockMode.class)
    @DisplayName("the range of a mode has the entries of all modes that conflict with it, and no others")
    void conflictsAreOneRange(LockMode mode) {
        String key = Entries.ofKey(namespace, "user:u1");
        ByteString from = ByteString.copyFromUtf8(key + Entries.lowest(mode));
        ByteString to = ByteString.copyFromUtf8(key + (Entries.highest(mode) + 1));
        for (LockMode other : LockMode.values()) {
            ByteString entry = ByteString.copyFromUtf8(key + Entries.digit(other) + "/" + UUID.randomUUID());
            boolean inside = ORDER.compare(from, entry) <= 0 && ORDER.compare(entry, to) < 0;
            assertThat(inside).as("%s against %s", other, mode).isEqualTo(!other.compatibleWith(mode));
        }
    }

    @Test
    @DisplayName("entries of keys whose names begin alike are in separate ranges")
    void keysAreApart() {
        String key = Entries.ofKey(namespace, "user:u1");
        for (String other : new String[] {"user:u10", "user:u1/account:a1", "user:u"}) {
            assertThat(Entries.ofKey(namespace, other)).doesNotStartWith(key);
        }
    }

    @Test
    @DisplayName("a name is read as it was written")
    void readBack() {
        UUID lease = UUID.randomUUID();
        ByteString entry = ByteString.copyFromUtf8(Entries.ofKey(namespace, "user:\u65e5") + "4/" + lease);
        assertThat(Entries.read(namespace, entry))
                .isEqualTo(new Entries.Name("user:\u65e5", LockMode.SHARED_INTENT_EXCLUSIVE, lease));
    }
}
