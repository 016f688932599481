package dev.lockstep.cli.locks;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A look as {@code --json} prints it. */
public record LockReportJson(
        String at,
        boolean complete,
        List<Held> held,
        List<Waiting> waiting,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) int notShown,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Fallback fallback) {
    /** Which of two stores is in use. */
    public record Fallback(String active, String primary, String secondary, long epoch, String grants) {}

    /** A lock that is held. */
    public record Held(
            String key,
            String mode,
            String owner,
            String leaseName,
            String since,
            @Nullable String expiresAt,
            @Nullable String callSite) {}

    /** A request that waits. */
    public record Waiting(
            String key,
            String mode,
            String owner,
            String leaseName,
            String since,
            @Nullable String callSite,
            List<Behind> behind) {}

    /** Who is in the way of a request. */
    public record Behind(String owner, String leaseName, String mode, String since, boolean waiting) {}

    /** The same as text and numbers. */
    public static LockReportJson of(LockReport look) {
        return new LockReportJson(
                look.at().toString(),
                look.complete(),
                look.held().stream().map(LockReportJson::held).toList(),
                look.waiting().stream().map(LockReportJson::waiting).toList(),
                look.notShown(),
                look.pair().map(LockReportJson::fallback).orElse(null));
    }

    private static Fallback fallback(LockReport.Pair pair) {
        return new Fallback(pair.active(), pair.primary(), pair.secondary(), pair.epoch(), pair.grants());
    }

    private static Held held(LockReport.Held lock) {
        return new Held(
                lock.key(),
                lock.mode(),
                lock.owner(),
                lock.leaseName(),
                lock.since().toString(),
                lock.expiresAt().map(Instant::toString).orElse(null),
                lock.callSite().orElse(null));
    }

    private static Waiting waiting(LockReport.Waiting lock) {
        return new Waiting(
                lock.key(),
                lock.mode(),
                lock.owner(),
                lock.leaseName(),
                lock.since().toString(),
                lock.callSite().orElse(null),
                lock.behind().stream().map(LockReportJson::behind).toList());
    }

    private static Behind behind(LockReport.Behind each) {
        return new Behind(
                each.owner(), each.leaseName(), each.mode(), each.since().toString(), each.waiting());
    }
}
