package dev.lockstep.redis;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import io.lettuce.core.RedisBusyException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisLoadingException;
import io.lettuce.core.RedisReadOnlyException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Turns Redis's errors into ours: what failed, why, and the way out. */
final class RedisErrors {
    private RedisErrors() {}

    static LockException of(Throwable error, String doing, List<LockKey> keys) {
        Throwable cause = causeOf(error);
        if (cause instanceof LockException ours) {
            return ours;
        }
        String said = cause.getMessage() == null ? cause.toString() : cause.getMessage();
        ErrorCode code = isUnavailable(cause) ? ErrorCode.STORE_UNAVAILABLE : ErrorCode.STORE_FAILED;
        return new LockException(code, doing + " failed: " + said + wayOut(cause, said), keys, cause);
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

    /** Whether the server can't be reached or doesn't work now, so that the same call may succeed later. */
    static boolean isUnavailable(Throwable cause) {
        if (cause instanceof RedisLoadingException
                || cause instanceof RedisBusyException
                || cause instanceof RedisReadOnlyException) {
            return true;
        }
        if (cause instanceof LockException ours) {
            return ours.code() == ErrorCode.STORE_UNAVAILABLE;
        }
        if (cause instanceof RedisCommandExecutionException && cause.getMessage() != null) {
            String said = cause.getMessage();
            return said.startsWith("MASTERDOWN") || said.startsWith("NOREPLICAS") || said.startsWith("CLUSTERDOWN");
        }
        return !(cause instanceof RedisCommandExecutionException) && !isRefused(cause);
    }

    private static boolean isRefused(Throwable cause) {
        for (Throwable each = cause; each != null; each = each.getCause()) {
            String said = each.getMessage() == null ? "" : each.getMessage();
            if (said.startsWith("WRONGPASS") || said.startsWith("NOAUTH") || said.startsWith("NOPERM")) {
                return true;
            }
        }
        return false;
    }

    private static String wayOut(Throwable cause, String said) {
        String upper = said.toUpperCase(Locale.ROOT);
        if (cause instanceof RedisReadOnlyException || upper.contains("READONLY")) {
            return ". This is a replica: connect to the master.";
        }
        if (upper.startsWith("OOM")) {
            return ". Redis has used up its maxmemory: raise it. (Locks need the policy noeviction, which never drops them.)";
        }
        if (isRefused(cause) || upper.contains("NOPERM")) {
            return ". Give the user what RedisDoctor lists, or use another user or password.";
        }
        if (upper.startsWith("MISCONF") || upper.startsWith("NOREPLICAS")) {
            return ". Redis refuses to write until this is put right.";
        }
        return isUnavailable(cause) ? ". Try again when Redis can be reached." : ".";
    }
}
