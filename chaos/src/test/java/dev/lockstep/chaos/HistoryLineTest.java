package dev.lockstep.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HistoryLineTest {
    @Test
    void isReadAsItWasWritten() {
        HistoryLine line = HistoryLine.of(-17, "failed", "op", 4, "x", "", "text", "no such\nthing = here");
        assertThat(line).hasToString("-17 failed op=4 x= text=no_such_thing_=_here");
        assertThat(HistoryLine.parse(line.toString())).contains(line);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "17", "seventeen grant", "17 grant op"})
    void whatIsNoneIsNotRead(String text) {
        assertThat(HistoryLine.parse(text)).isEmpty();
    }
}
