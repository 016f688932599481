package dev.lockstep.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class OpenedOrClosedTest {
    private final AtomicBoolean closed = new AtomicBoolean();

    @Test
    void whatStandsTheCheckStaysOpen() {
        AutoCloseable opened = () -> closed.set(true);
        assertThat(CheckedOpening.checked(opened, each -> {})).isSameAs(opened);
        assertThat(closed).isFalse();
    }

    @Test
    void anErrorOfTheCheckClosesIt() {
        AutoCloseable opened = () -> closed.set(true);
        AssertionError failure = new AssertionError("no");
        assertThatThrownBy(() -> CheckedOpening.checked(opened, each -> {
                    throw failure;
                }))
                .isSameAs(failure);
        assertThat(closed).isTrue();
    }

    @Test
    void aFailureOfTheCloseIsReportedBesideTheReason() {
        IllegalStateException failure = new IllegalStateException("no");
        IllegalStateException atClose = new IllegalStateException("neither");
        AutoCloseable stuck = () -> {
            throw atClose;
        };
        assertThatThrownBy(() -> CheckedOpening.checked(stuck, each -> {
                    throw failure;
                }))
                .isSameAs(failure)
                .hasSuppressedException(atClose);
    }
}
