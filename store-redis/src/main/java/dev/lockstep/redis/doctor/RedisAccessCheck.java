package dev.lockstep.redis.doctor;

import dev.lockstep.core.doctor.Finding;
import io.lettuce.core.RedisBusyException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisLoadingException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Tries whether the user may do what the store does. */
final class RedisAccessCheck {
    private RedisAccessCheck() {}

    static List<Finding> examine(DoctorSession visit) {
        AclRule rule = visit.rule();
        Map<String, String> refusals = tryAll(visit);
        tryDigest(visit.commands(), refusals);
        return RedisAccessRule.judge(refusals, rule);
    }

    static String whoAmI(RedisCommands<String, String> commands) {
        try {
            return commands.aclWhoami();
        } catch (RedisCommandExecutionException e) { // not allowed, or a server without users
            return "lockstep";
        }
    }

    /** What was refused, by command. */
    private static Map<String, String> tryAll(DoctorSession visit) {
        Map<String, String> refusals = new LinkedHashMap<>();
        String scratch = ":doctor:" + UUID.randomUUID();
        String[] keys = {visit.keys().memory()};
        try {
            List<Object> answers = visit.commands()
                    .eval(
                            script(),
                            ScriptOutputType.MULTI,
                            keys,
                            scratch,
                            visit.keys().wakeChannel("doctor"));
            for (int i = 0; i + 1 < answers.size(); i += 2) {
                if (!"ok".equals(answers.get(i + 1))) {
                    refusals.put(String.valueOf(answers.get(i)), String.valueOf(answers.get(i + 1)));
                }
            }
        } catch (RedisLoadingException | RedisBusyException e) {
            throw e;
        } catch (RedisCommandExecutionException e) {
            refusals.put("EVAL", Finding.reason(e));
        }
        return refusals;
    }

    private static void tryDigest(RedisCommands<String, String> commands, Map<String, String> refusals) {
        try {
            commands.evalsha(commands.digest("return 1"), ScriptOutputType.INTEGER);
        } catch (RedisNoScriptException e) {
            // It may be run, only there is none.
        } catch (RedisCommandExecutionException e) {
            if (RedisAccessRule.isForbidden(Finding.reason(e))) {
                refusals.putIfAbsent("EVALSHA", Finding.reason(e));
            }
        }
    }

    static String script() {
        try (InputStream in = RedisAccessCheck.class.getResourceAsStream("doctor.lua")) {
            if (in == null) {
                throw new IllegalStateException("The script doctor.lua is missing from the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
