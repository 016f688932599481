package dev.lockstep.etcd;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Turns errors of etcd and of gRPC into ours: what failed, why, and the way out. */
final class EtcdErrors {
    private EtcdErrors() {}

    static LockException of(Throwable error, String doing, List<LockKey> keys) {
        Throwable cause = causeOf(error);
        if (cause instanceof LockException ours) {
            return ours;
        }
        ErrorCode code = isUnavailable(cause) ? ErrorCode.STORE_UNAVAILABLE : ErrorCode.STORE_FAILED;
        return new LockException(code, doing + " failed: " + said(cause) + wayOut(cause), keys, cause);
    }

    /** What really happened, without what futures wrap around it. */
    static Throwable causeOf(Throwable error) {
        Throwable cause = error;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    static @Nullable Status statusOf(Throwable cause) {
        if (cause instanceof StatusRuntimeException error) {
            return error.getStatus();
        }
        return cause instanceof StatusException error ? error.getStatus() : null;
    }

    /** Whether etcd can't be reached or doesn't work now, so that the same call may succeed later. */
    static boolean isUnavailable(Throwable error) {
        Throwable cause = causeOf(error);
        if (cause instanceof LockException ours) {
            return ours.code() == ErrorCode.STORE_UNAVAILABLE;
        }
        Status status = statusOf(cause);
        if (status == null) {
            return cause instanceof TimeoutException || cause instanceof CancellationException;
        }
        return switch (status.getCode()) {
            case UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED, ABORTED, UNKNOWN, INTERNAL, RESOURCE_EXHAUSTED ->
                !isFull(status);
            default -> false;
        };
    }

    /** Whether the call may have been carried out although it failed. */
    static boolean isUnanswered(Throwable error) {
        Status status = statusOf(causeOf(error));
        return status == null
                || switch (status.getCode()) {
                    case INVALID_ARGUMENT,
                            NOT_FOUND,
                            PERMISSION_DENIED,
                            UNAUTHENTICATED,
                            FAILED_PRECONDITION,
                            OUT_OF_RANGE,
                            UNIMPLEMENTED -> false;
                    case RESOURCE_EXHAUSTED ->
                        // refused by the member, unless the response was too large, or the quota was found used up
                        // while it was applied
                        isFull(status)
                                || !String.valueOf(status.getDescription()).contains("etcdserver");
                    default -> true;
                };
    }

    /** Whether another member may answer what this one didn't. */
    static boolean isMembersFault(Throwable error) {
        Status status = statusOf(causeOf(error));
        return status != null
                && switch (status.getCode()) {
                    case UNAVAILABLE, DEADLINE_EXCEEDED, INTERNAL, UNKNOWN -> true;
                    default -> false;
                };
    }

    static boolean isLeaseGone(Throwable error) {
        return has(error, Status.Code.NOT_FOUND, "lease");
    }

    /** Whether the token of the user has expired, or permissions have changed since it was given. */
    static boolean isOldToken(Throwable error) {
        return has(error, Status.Code.UNAUTHENTICATED, "token")
                || has(error, Status.Code.INVALID_ARGUMENT, "revision of auth store");
    }

    /** Whether what was to be read is too old. */
    static boolean isCompacted(Throwable error) {
        return has(error, Status.Code.OUT_OF_RANGE, "compacted");
    }

    private static boolean has(Throwable error, Status.Code code, String words) {
        Status status = statusOf(causeOf(error));
        return status != null
                && status.getCode() == code
                && String.valueOf(status.getDescription()).contains(words);
    }

    private static boolean isFull(Status status) {
        return String.valueOf(status.getDescription()).contains("database space exceeded");
    }

    private static String said(Throwable cause) {
        Status status = statusOf(cause);
        if (status == null) {
            return cause.getMessage() == null ? cause.toString() : cause.getMessage();
        }
        String said = status.getDescription() == null ? status.getCode().toString() : status.getDescription();
        Throwable root = cause;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root == cause || root.getMessage() == null || said.contains(root.getMessage())
                ? said
                : said + ": " + root.getMessage();
    }

    private static String wayOut(Throwable cause) {
        Status status = statusOf(cause);
        if (status == null) {
            return isUnavailable(cause) ? ". Try again when etcd can be reached." : ".";
        }
        if (isFull(status)) {
            return ". The members have used up their quota: compact and defragment them, raise quota-backend-bytes, and disarm the"
                    + " alarm NOSPACE.";
        }
        return switch (status.getCode()) {
            case UNAVAILABLE, DEADLINE_EXCEEDED ->
                isTls(cause)
                        ? ". Check whether the members use TLS (etcds:) and the certificates that they are shown."
                        : ". Try again when a majority of the members can be reached.";
            case PERMISSION_DENIED -> ". Give the user a role that may read and write the keys that EtcdDoctor lists.";
            case UNAUTHENTICATED, INVALID_ARGUMENT, FAILED_PRECONDITION ->
                isAuth(status) ? ". Check the user and the password, and that authentication is enabled." : ".";
            case UNIMPLEMENTED -> ". Use etcd 3.4 or newer.";
            default -> ".";
        };
    }

    private static boolean isAuth(Status status) {
        String said = String.valueOf(status.getDescription());
        return said.contains("auth") || said.contains("user");
    }

    private static boolean isTls(Throwable cause) {
        for (@Nullable Throwable each = cause; each != null; each = each.getCause()) {
            String text = String.valueOf(each);
            if (text.contains("SSL") || text.contains("TLS") || text.contains("certificate")) {
                return true;
            }
        }
        return false;
    }
}
