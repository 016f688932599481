package dev.lockstep.redis.doctor;

import dev.lockstep.core.doctor.Finding;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.List;

/** Tries whether the user may listen to the namespace's hints. */
final class RedisChannelCheck {
    private RedisChannelCheck() {}

    static List<Finding> examine(DoctorSession visit) {
        try (StatefulRedisPubSubConnection<String, String> listener = visit.listener()) {
            listener.sync().subscribe(visit.keys().wakeChannel("doctor"));
            return List.of(Finding.ok("Hints to those who wait can be heard."));
        } catch (RedisCommandExecutionException e) {
            if (!RedisAccessRule.isForbidden(Finding.reason(e))) {
                throw e;
            }
            AclRule rule = visit.rule();
            return List.of(RedisAccessRule.noHints("hear", "+subscribe +unsubscribe", rule));
        }
    }
}
