package dev.lockstep.testservers;

import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * One line of what a node of a Redis cluster says about all of them.
 *
 * @param master the id of the node that it is a replica of, or a dash
 * @param slots ranges such as 0-5460, or single ones
 */
record ClusterNode(String id, int port, Set<String> flags, String master, boolean connected, List<String> slots) {
    private static final int FIRST_SLOT = 8;

    /** Reads {@code CLUSTER NODES}. */
    static List<ClusterNode> readAll(String text) {
        return text.lines().map(ClusterNode::read).toList();
    }

    private static ClusterNode read(String line) {
        String[] words = line.split(" ", -1);
        String address = words[1].substring(0, words[1].indexOf('@'));
        return new ClusterNode(
                words[0],
                Integer.parseInt(address.substring(address.lastIndexOf(':') + 1)),
                Set.of(words[2].split(",", -1)),
                words[3],
                "connected".equals(words[7]),
                Arrays.stream(words).skip(FIRST_SLOT).toList());
    }

    boolean isWorkingMaster() {
        return flags.contains("master") && !flags.contains("fail") && !flags.contains("fail?");
    }

    boolean has(int slot) {
        return slots.stream().filter(each -> !each.startsWith("[")).anyMatch(each -> isIn(each, slot));
    }

    private static boolean isIn(String range, int slot) {
        String[] ends = range.split("-", -1);
        return Integer.parseInt(ends[0]) <= slot && slot <= Integer.parseInt(ends[ends.length - 1]);
    }
}
