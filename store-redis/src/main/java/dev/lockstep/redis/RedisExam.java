package dev.lockstep.redis;

import dev.lockstep.core.Finding;
import io.lettuce.core.RedisBusyException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisLoadingException;
import java.time.InstantSource;
import java.util.List;

/**
 * One thing that a {@link RedisDoctor} looks at.
 *
 * @param subject what is looked at, for a message
 * @param allow what the user must be allowed for it, as an ACL rule says it
 */
record RedisExam(String subject, String allow, Look look) {
    /** Finds out, and leaves nothing behind. */
    interface Look {
        List<Finding> at(Visit visit);
    }

    /** All there are, in the order of what they need to work. */
    static List<RedisExam> all(InstantSource clock) {
        return List.of(
                new RedisExam("server's state", "+info", ServerExam::examine),
                new RedisExam("server's clock", "+eval +time", visit -> ClockExam.examine(visit, clock)),
                new RedisExam("user's rights", "+eval", AccessExam::examine),
                new RedisExam("wake channel", "+subscribe", ChannelExam::examine));
    }

    /** What was found; a look that the server refused is a finding too. */
    List<Finding> run(Visit visit) {
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
