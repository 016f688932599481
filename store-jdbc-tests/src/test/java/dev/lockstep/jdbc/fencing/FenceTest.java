package dev.lockstep.jdbc.fencing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.FencingToken;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.jdbc.FencingGuard;
import org.junit.jupiter.api.Test;

/** What is refused before anything is sent. */
class FenceTest {
    private static final FencingToken TOKEN = new FencingToken(0, 1);

    @Test
    void emptyNamesAreRefused() {
        assertThatThrownBy(() -> new Fence("", "j1", TOKEN))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("kind");
        assertThatThrownBy(() -> new Fence("job", "", TOKEN))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("id");
    }

    @Test
    void namesThatAreTooLongAreRefusedWithTheirLengthAndTheLimit() {
        assertThatThrownBy(() -> new Fence("k".repeat(65), "j1", TOKEN))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContainingAll("65 bytes", "64 are allowed");
        assertThatThrownBy(() -> new Fence("job", "語".repeat(513), TOKEN))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContainingAll("1539 bytes", "1536 are allowed", "語…");
    }

    @Test
    void anyIdThatCanBeLockedByDefaultCanBeFenced() {
        assertThat(new Fence("job", "語".repeat(512), TOKEN).idBytes()).hasSize(1536);
        assertThat(new Fence("job", "😀".repeat(256), TOKEN).idBytes()).hasSize(1024);
    }

    @Test
    void halfOfASurrogatePairIsRefusedBecauseItWouldBecomeAQuestionMark() {
        assertThatThrownBy(() -> new Fence("job", "a\uD83D", TOKEN))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("surrogate");
    }

    @Test
    void otherDatabasesAreRefused() {
        assertThatThrownBy(() -> FencingGuard.tableSql("H2"))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContainingAll("'H2'", "MySQL, MariaDB or PostgreSQL");
    }
}
