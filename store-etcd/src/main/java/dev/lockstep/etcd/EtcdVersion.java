package dev.lockstep.etcd;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The version of a member. */
record EtcdVersion(int major, int minor, int patch) {
    private static final Pattern NUMBERS = Pattern.compile("v?(\\d{1,6})\\.(\\d{1,6})(?:\\.(\\d{1,6}))?.*");

    static Optional<EtcdVersion> parse(String text) {
        Matcher numbers = NUMBERS.matcher(text);
        return numbers.matches()
                ? Optional.of(new EtcdVersion(
                        Integer.parseInt(numbers.group(1)),
                        Integer.parseInt(numbers.group(2)),
                        numbers.group(3) == null ? 0 : Integer.parseInt(numbers.group(3))))
                : Optional.empty();
    }

    /** Whether it is older than the first release of its line that has a correction: 3.4.x, or 3.5.x; later lines have it. */
    boolean isBelow(int patchOf34, int patchOf35) {
        if (major != 3) {
            return major < 3;
        }
        return switch (minor) {
            case 4 -> patch < patchOf34;
            case 5 -> patch < patchOf35;
            default -> minor < 4;
        };
    }

    @Override
    public String toString() {
        return major + "." + minor + "." + patch;
    }
}
