package dev.lockstep.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class HttpAnswerTest {
    private static final String CREATED =
            "HTTP/1.1 201 Created\r\nLocation: /api/locks/a1\r\ncontent-length: 5\r\n\r\nhello";

    @Test
    void answerIsThereOnceItsLastByteIs() {
        for (int length = 0; length < CREATED.length(); length++) {
            assertThat(HttpAnswer.read(CREATED.substring(0, length))).isEmpty();
        }
        HttpAnswer answer = HttpAnswer.read(CREATED + "HTTP/1.1 204").orElseThrow();
        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.body()).isEqualTo("hello");
        assertThat(answer.header("location")).isEqualTo("/api/locks/a1");
        assertThat(answer.length()).isEqualTo(CREATED.length());
    }

    @Test
    void answerWithoutContentNeedsNoLength() {
        assertThat(HttpAnswer.read("HTTP/1.1 204 No Content\r\nA: b\r\n\r\n")).isPresent();
    }

    @Test
    void anotherStatusThanTheWantedOneEndsTheRun() {
        assertThatThrownBy(() -> HttpAnswer.read(CREATED).orElseThrow().require(200))
                .hasMessageContaining("wanted 200")
                .hasMessageContaining("HTTP/1.1 201");
    }
}
