package dev.lockstep.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChaosCommandTest {
    @ParameterizedTest
    @ValueSource(
            strings = {"--store oracle", "--store redis,oracle", "--minutes 0", "--minutes 101", "--minutes x", "--what"
            })
    void aWrongCommandLineIsRefused(String line) {
        assertThat(Chaos.run(line.split(" "))).isEqualTo(2);
    }

    @Test
    void helpIsGiven() {
        assertThat(Chaos.run("--help")).isZero();
    }
}
