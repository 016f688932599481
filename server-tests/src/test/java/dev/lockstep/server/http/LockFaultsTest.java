package dev.lockstep.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("once")
class LockFaultsTest {
    private static final Map<?, ?> CODES = new ApiSchema().at("components", "schemas", "Problem", "x-codes");

    @ParameterizedTest
    @EnumSource
    void everyFaultIsAProblemOfTheDocument(ErrorCode code) {
        Problem problem = LockFaults.problem(new LockException(code, "why", List.of(), null));
        Map<String, Object> said = problem.getBody().getProperties();
        Map<?, ?> declared = (Map<?, ?>) CODES.get(said.get("code"));
        assertThat(String.valueOf(declared.get("status")))
                .contains(String.valueOf(problem.getStatusCode().value()));
        assertThat(said).containsEntry("retryable", declared.get("retryable"));
    }
}
