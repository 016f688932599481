package dev.lockstep.spring.locked;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The owner of requests that name none. */
@Tag("once")
class DefaultOwnerTest {
    @Test
    @DisplayName("application, host and process id are the owner; an application without a name is left out")
    void parts() {
        assertThat(DefaultOwner.of("billing", "web-1", 4711)).isEqualTo("billing@web-1:4711");
        assertThat(DefaultOwner.of("", "web-1", 4711)).isEqualTo("web-1:4711");
    }

    @Test
    @DisplayName("long names keep their beginning and their end")
    void longNames() {
        String pod = "billing-service-of-the-european-region-7d9f8b6c5d-x2x4z";
        assertThat(DefaultOwner.of("a".repeat(200), pod, 4711))
                .isEqualTo("a".repeat(19) + ".." + "a".repeat(19) + "@billing-service-of-..on-7d9f8b6c5d-x2x4z:4711");
    }

    @Test
    @DisplayName("process 1, which every container has, is told apart by a suffix that stays the same")
    void container() {
        String owner = DefaultOwner.of("billing", "web-1", 1);
        assertThat(owner).matches("billing@web-1:1-[0-9a-f]{4}");
        assertThat(DefaultOwner.of("billing", "web-1", 1)).isEqualTo(owner);
    }
}
