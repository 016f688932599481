package dev.lockstep.redis;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Turns Redis's errors into ours: what failed, why, and the way out. */
final class RedisErrors {
    private static final Pattern WORD =
            Pattern.compile("(?:^|-)(READONLY|OOM|MISCONF|NOREPLICAS|MASTERDOWN|LOADING|BUSY|TRYAGAIN|CLUSTERDOWN"
                    + "|WRONGPASS|NOAUTH|NOPERM|MOVED)\\b");
    private static final Set<String> TRANSIENT = Set.of(
            "READONLY", "OOM", "MISCONF", "NOREPLICAS", "MASTERDOWN", "LOADING", "BUSY", "TRYAGAIN", "CLUSTERDOWN");
    private static final Set<String> REFUSALS = Set.of("WRONGPASS", "NOAUTH", "NOPERM");

    private RedisErrors() {}

    static LockException of(Throwable error, String doing, List<LockKey> keys) {
        Throwable cause = causeOf(error);
        if (cause instanceof LockException ours) {
            return ours;
        }
        ErrorCode code = isUnavailable(cause) ? ErrorCode.STORE_UNAVAILABLE : ErrorCode.STORE_FAILED;
        return new LockException(code, doing + " failed: " + said(cause) + wayOut(cause), keys, cause);
    }

    /** The message and, where a connection couldn't be made, the reason, which only the innermost error has. */
    private static String said(Throwable cause) {
        String said = messageOf(cause).replace("/<unresolved>", "");
        Throwable root = cause;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return cause instanceof RedisConnectionException && root != cause ? said + ": " + messageOf(root) : said;
    }

    private static String messageOf(Throwable error) {
        return error.getMessage() == null ? error.toString() : error.getMessage();
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
        if (cause instanceof LockException ours) {
            return ours.code() == ErrorCode.STORE_UNAVAILABLE;
        }
        if (cause instanceof RedisCommandExecutionException) {
            return TRANSIENT.contains(word(cause));
        }
        return !REFUSALS.contains(word(cause))
                && (cause instanceof RedisException
                        || cause instanceof IOException
                        || cause instanceof TimeoutException
                        || cause instanceof CancellationException);
    }

    /** Whether another server may have taken over from the one that answered. */
    static boolean isReplica(Throwable cause) {
        return "READONLY".equals(word(cause));
    }

    /** The word that an error of Redis begins with. An error inside a script has it somewhere in the text, behind a dash. */
    private static String word(Throwable error) {
        for (Throwable each = error; each != null; each = each.getCause()) {
            Matcher word = WORD.matcher(each.getMessage() == null ? "" : each.getMessage());
            if (word.find()) {
                return word.group(1);
            }
            if (each.getMessage() != null && each.getMessage().contains("can't run this command")) {
                return "NOPERM";
            }
        }
        return "";
    }

    private static String wayOut(Throwable cause) {
        return switch (word(cause)) {
            case "READONLY" -> ". This is a replica: connect to the master.";
            case "OOM" ->
                ". Redis has used up its maxmemory: raise it. (Locks need the policy noeviction, which never drops them.)";
            case "WRONGPASS", "NOAUTH", "NOPERM" ->
                ". Give the user what RedisDoctor lists, or use another user or password.";
            case "MOVED" -> ". This is a node of a Redis Cluster: write RedisLockStore.cluster(...).";
            case "MISCONF", "NOREPLICAS" -> ". Redis refuses to write until this is put right.";
            default -> isUnavailable(cause) ? ". Try again when Redis can be reached." : noCluster(cause);
        };
    }

    private static String noCluster(Throwable cause) {
        return messageOf(cause).contains("cluster support disabled")
                ? ". This is a single server: write RedisLockStore.at(...)."
                : ".";
    }
}
