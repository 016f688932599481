package dev.lockstep.server.locks;

import dev.lockstep.core.LockKey;
import dev.lockstep.server.http.Credential;
import dev.lockstep.server.http.Problem;
import dev.lockstep.server.locks.keys.Shown;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Ends a client's lease on purpose. It needs the right to administer, a reason, and leaves a line in the log. */
@RestController
final class AdminApi {
    private static final Logger AUDIT = LoggerFactory.getLogger("dev.lockstep.server.audit");
    private static final int LONGEST_REASON = 200;

    private final Desk desk;
    private final Forwarding forwarding;

    AdminApi(Desk desk, Forwarding forwarding) {
        this.desk = desk;
        this.forwarding = forwarding;
    }

    /** The body of the request, as it came. */
    record RevokeRequest(@Nullable String reason) {}

    @PostMapping("/api/admin/leases/{leaseName}/revoke")
    Mono<ResponseEntity<Object>> revoke(
            @PathVariable String leaseName, @RequestBody RevokeRequest body, ServerWebExchange exchange) {
        String reason = reason(body.reason());
        LeaseId name = LeaseId.read(leaseName).orElseThrow(AdminApi::unknown);
        if (forwarding.concerns(name)) {
            return forwarding.forward(name, exchange, Optional.of(body));
        }
        String by = Credential.of(exchange).name();
        return desk.revoke(name.lease(), by, reason, held -> log(held, name, by, reason))
                .thenReturn(ResponseEntity.noContent().build());
    }

    private static void log(DeskLease held, LeaseId name, String by, String reason) {
        AUDIT.warn(
                "{} ended the lease {} of {} on {}: {}",
                by,
                name.name(),
                held.lease().owner(),
                held.lease().keys().stream().map(LockKey::toString).toList(),
                reason);
    }

    private static String reason(@Nullable String reason) {
        if (reason == null || reason.isBlank() || reason.length() > LONGEST_REASON || Shown.hasControl(reason)) {
            throw Problem.invalid(
                    "reason",
                    "reason is missing, or longer than " + LONGEST_REASON
                            + " characters, or has control characters. Say why: the holder and the log get it.");
        }
        return reason.strip();
    }

    static Problem unknown() {
        return Problem.of(
                HttpStatus.NOT_FOUND,
                "unknown-lease",
                false,
                "No server keeps a lease of that name. It has ended, or it belongs to a process that locks without a server: end it"
                        + " there. Nothing was changed.");
    }
}
