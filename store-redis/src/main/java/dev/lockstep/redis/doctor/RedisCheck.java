package dev.lockstep.redis.doctor;

import dev.lockstep.core.doctor.Finding;
import io.lettuce.core.RedisBusyException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisLoadingException;
import java.time.InstantSource;
import java.util.List;

/**
 * One thing that a {@code RedisDoctor} looks at.
 *
 * @param subject what is looked at, for a message
 * @param allow what the user must be allowed for it, as an ACL rule says it
 */
public record RedisCheck(String subject, String allow, Look look) {
    /** Finds out, and leaves nothing behind. */
    public interface Look {
        List<Finding> at(DoctorSession visit);
    }

    /** All there are, in the order of what they need to work. */
    public static List<RedisCheck> all(InstantSource clock) {
        return List.of(
                new RedisCheck("server's state", "+info", RedisServerCheck::examine),
                new RedisCheck("server's clock", "+eval +time", visit -> RedisClockCheck.examine(visit, clock)),
                new RedisCheck("user's rights", "+eval", RedisAccessCheck::examine),
                new RedisCheck("wake channel", "+subscribe", RedisChannelCheck::examine));
    }

    /** What was found; a look that the server refused is a finding too. */
    public List<Finding> run(DoctorSession visit) {
        try {
            return look.at(visit);
        } catch (RedisLoadingException | RedisBusyException e) {
            throw e; // nothing else can be asked either
        } catch (RedisCommandExecutionException e) {
            return List.of(Finding.warning(
                    "The " + subject + " can't be examined: " + Finding.reason(e),
                    "Allow the user " + allow + ", or check it by hand."));
        } catch (IllegalStateException e) {
            return List.of(Finding.warning(
                    "The " + subject + " can't be examined: " + Finding.reason(e),
                    "Check by hand whether this is a Redis server."));
        }
    }
}
