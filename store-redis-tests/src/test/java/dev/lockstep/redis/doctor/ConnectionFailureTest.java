package dev.lockstep.redis.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class ConnectionFailureTest {
    @Test
    void aTimeoutWithoutATextIsAServerThatDoesNotAnswer() {
        Exception error = new ExecutionException(new TimeoutException());
        assertThat(ConnectionFailure.finding("db:6379", Duration.ofMillis(300), error))
                .asString()
                .contains("Redis at db:6379 didn't answer within 300 ms");
    }
}
