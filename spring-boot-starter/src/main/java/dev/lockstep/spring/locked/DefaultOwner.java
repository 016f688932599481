package dev.lockstep.spring.locked;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.UUID;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * The owner of requests that name none: {@code lockstep.owner}, else the application's name, host and process id, such as
 * {@code billing@web-1:4711}. Names of more than 40 characters are shortened, and process 1, as in a container, has a random suffix. Other processes see it in snapshots and in the message of a timeout.
 */
public final class DefaultOwner {
    private static final int LONGEST_NAME = 40;
    private static final int KEPT_AT_EACH_END = 19;

    /** Containers of the same host name have the same process id, too: 1. */
    private static final String SUFFIX = UUID.randomUUID().toString().substring(0, 4);

    private DefaultOwner() {}

    /** The owner of this process. */
    public static String in(Environment environment) {
        String configured = environment.getProperty("lockstep.owner");
        if (StringUtils.hasText(configured)) {
            return configured;
        }
        return of(
                environment.getProperty("spring.application.name", ""),
                host(),
                ProcessHandle.current().pid());
    }

    static String of(String application, String host, long pid) {
        String process = shortened(host) + ":" + (pid == 1 ? "1-" + SUFFIX : pid);
        return StringUtils.hasText(application) ? shortened(application) + "@" + process : process;
    }

    /** Keeps both ends: a host differs from others at the beginning of its name, and a pod at the end. */
    private static String shortened(String name) {
        int length = name.codePointCount(0, name.length());
        return length <= LONGEST_NAME
                ? name
                : name.substring(0, name.offsetByCodePoints(0, KEPT_AT_EACH_END))
                        + ".."
                        + name.substring(name.offsetByCodePoints(name.length(), -KEPT_AT_EACH_END));
    }

    /** Containers and many shells say it without a name service. */
    private static String host() {
        String known = System.getenv("HOSTNAME");
        if (StringUtils.hasText(known)) {
            return known;
        }
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
