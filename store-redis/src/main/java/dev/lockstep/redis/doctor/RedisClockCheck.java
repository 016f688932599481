package dev.lockstep.redis.doctor;

import dev.lockstep.core.doctor.Finding;
import io.lettuce.core.ScriptOutputType;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** Reads the server's clock in a script, as the store does, several times. */
final class RedisClockCheck {
    private static final String SCRIPT = "return redis.call('TIME')";
    private static final int READINGS = 5;

    private RedisClockCheck() {}

    static List<Finding> examine(DoctorSession visit, InstantSource local) {
        read(visit, local); // the first one compiles
        List<ServerTime> readings = new ArrayList<>();
        for (int i = 0; i < READINGS; i++) {
            readings.add(read(visit, local));
        }
        return RedisClockRule.judge(readings);
    }

    private static ServerTime read(DoctorSession visit, InstantSource local) {
        Instant asked = local.instant();
        long askedNanos = System.nanoTime();
        List<Object> answer = visit.commands().eval(SCRIPT, ScriptOutputType.MULTI);
        long answeredNanos = System.nanoTime();
        return new ServerTime(asked, instant(answer), local.instant(), askedNanos, answeredNanos);
    }

    /** Seconds and microseconds. */
    static Instant instant(List<Object> answer) {
        if (answer.size() != 2
                || !answer.stream().allMatch(part -> String.valueOf(part).matches("\\d{1,12}"))) {
            throw new IllegalStateException("TIME answered " + answer);
        }
        return Instant.ofEpochSecond(Long.parseLong(String.valueOf(answer.get(0))))
                .plus(Long.parseLong(String.valueOf(answer.get(1))), ChronoUnit.MICROS);
    }
}
