package dev.lockstep.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.KindDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("kinds as a comment")
class KindTextTest {
    private static final KindDefinition USER = new KindDefinition("user", 10, Optional.empty(), 0, false);
    private static final KindDefinition ACCOUNT = new KindDefinition("account", 20, Optional.of("user"), 1, false);
    private static final KindDefinition RESOURCE = new KindDefinition("resource", 30, Optional.of("account"), 2, true);
    private static final KindDefinition NAME = new KindDefinition("name", 40, Optional.empty(), 0, true);
    private static final List<KindDefinition> ALL = List.of(USER, ACCOUNT, RESOURCE, NAME);

    @Test
    @DisplayName("can be read by people, too")
    void readable() {
        assertThat(KindText.comments("orders", ALL, 1023))
                .containsExactly(
                        "/*lockstep-kinds orders user:10,account:20:user:1,resource:30:account:2:leaf,name:40:::leaf*/");
    }

    @Test
    @DisplayName("is read back as it was written, whatever the namespace is called")
    void readBack() {
        for (String namespace : List.of("orders", "*/ DROP", "ünï", "x".repeat(500))) {
            String comment = KindText.comments(namespace, ALL, 1023).get(0);
            assertThat(KindText.read(comment + "COMMIT", namespace)).isEqualTo(new KindText.Seen(ALL, true));
            assertThat(comment.indexOf("*/")).isEqualTo(comment.length() - 2);
            assertThat(KindText.read(comment, "other")).isEqualTo(new KindText.Seen(List.of(), true));
        }
    }

    @Test
    @DisplayName("is divided where the server would cut it off")
    void divided() {
        for (int room = 80; room < 130; room++) {
            List<KindDefinition> read = new ArrayList<>();
            for (String comment : KindText.comments("orders", ALL, room)) {
                assertThat(comment).hasSizeLessThanOrEqualTo(room);
                read.addAll(KindText.read(comment, "orders").kinds());
            }
            assertThat(read).isEqualTo(ALL);
        }
        assertThat(KindText.comments("orders", ALL, 1)).hasSize(ALL.size());
        List<KindDefinition> many = IntStream.range(0, 20)
                .mapToObj(i -> new KindDefinition("kind-" + i, i, Optional.empty(), 0, false))
                .toList();
        assertThat(KindText.comments("orders", many, 1)).hasSize(8);
    }

    @Test
    @DisplayName("says that something is missing when it was cut off, hidden, or says more than can be understood")
    void incomplete() {
        String comment = KindText.comments("orders", ALL, 1023).get(0);
        String cut = comment.substring(0, comment.indexOf(":2:leaf"));
        assertThat(KindText.read(cut, "orders")).isEqualTo(new KindText.Seen(List.of(USER, ACCOUNT), false));
        assertThat(KindText.read("/*lockstep-kinds orders user:10,what?*/", "orders"))
                .isEqualTo(new KindText.Seen(List.of(USER), false));
        assertThat(KindText.read("<insufficient privilege>", "orders").whole()).isFalse();
        assertThat(KindText.read("", "orders").whole()).isFalse();
    }
}
