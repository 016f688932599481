package dev.lockstep.cli.locks;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** What a server answers to {@code GET /api/locks}, as far as it is shown. It may tell more. */
record ServerAnswer(
        Instant at,
        int holdersFound,
        int waitersFound,
        List<Holder> holders,
        List<Waiter> waiters,
        LockReport.@Nullable Pair fallback) {
    /** Without a field that every server sends it is an answer of something else. */
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .build();

    private static final int OK = 200;
    private static final int SERVER_ERRORS = 500;

    private record Holder(
            String key,
            String mode,
            String owner,
            Instant since,
            String leaseName,
            @Nullable Instant expiresAt,
            @Nullable String callSite) {
        LockReport.Held shown() {
            return new LockReport.Held(
                    key, mode, owner, leaseName, since, Optional.ofNullable(expiresAt), Optional.ofNullable(callSite));
        }
    }

    private record Waiter(
            String key,
            String mode,
            String owner,
            Instant since,
            String leaseName,
            @Nullable String callSite,
            List<LockReport.Behind> blockedBy) {
        LockReport.Waiting shown() {
            return new LockReport.Waiting(key, mode, owner, leaseName, since, Optional.ofNullable(callSite), blockedBy);
        }
    }

    private record Status(List<Kind> kinds) {
        record Kind(String prefix) {}
    }

    private record Trouble(String code, String detail) {}

    /** The snapshot in it, or its error. {@code foreign} says what to throw for what no Lockstep server sends. */
    static LockReport read(HttpResponse<String> answer, Function<HttpResponse<?>, LockException> foreign) {
        return read(answer, ServerAnswer.class, foreign).look();
    }

    /** The kinds that it knows, of its status. */
    static Set<String> readKinds(HttpResponse<String> answer, Function<HttpResponse<?>, LockException> foreign) {
        return read(answer, Status.class, foreign).kinds().stream()
                .map(Status.Kind::prefix)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static <T> T read(
            HttpResponse<String> answer, Class<T> type, Function<HttpResponse<?>, LockException> foreign) {
        try {
            if (answer.statusCode() == OK) {
                return MAPPER.readValue(answer.body(), type);
            }
            throw trouble(answer.statusCode(), MAPPER.readValue(answer.body(), Trouble.class));
        } catch (JacksonException e) {
            throw foreign.apply(answer);
        }
    }

    /** Why a request was refused. */
    static LockException trouble(HttpResponse<String> answer, Function<HttpResponse<?>, LockException> foreign) {
        try {
            return trouble(answer.statusCode(), MAPPER.readValue(answer.body(), Trouble.class));
        } catch (JacksonException e) {
            return foreign.apply(answer);
        }
    }

    private static LockException trouble(int status, Trouble trouble) {
        ErrorCode code = status < SERVER_ERRORS ? ErrorCode.STORE_FAILED : ErrorCode.STORE_UNAVAILABLE;
        return new LockException(code, "The server says: " + trouble.detail(), List.of(), null);
    }

    private LockReport look() {
        return new LockReport(
                at,
                holders.stream().map(Holder::shown).toList(),
                waiters.stream().map(Waiter::shown).toList(),
                holdersFound - holders.size() + waitersFound - waiters.size(),
                Optional.ofNullable(fallback));
    }
}
