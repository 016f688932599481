package dev.lockstep.etcd;

import com.google.protobuf.ByteString;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import java.util.List;

/**
 * What a namespace records of itself.
 *
 * @param id another one in each generation
 * @param floor what is added to a revision to get a token
 * @param cluster the cluster that it was recorded in
 */
record NamespaceState(String id, long floor, long longestMillis, long cluster) {
    private static final String FORMAT = "1";
    private static final int LINES = 5;

    ByteString text() {
        return ByteString.copyFromUtf8(String.join(
                "\n", FORMAT, id, Long.toString(floor), Long.toString(longestMillis), Long.toUnsignedString(cluster)));
    }

    static NamespaceState read(ByteString value, EtcdNamespace namespace) {
        String[] lines = value.toStringUtf8().split("\n", -1);
        try {
            if (lines.length == LINES && lines[0].equals(FORMAT)) {
                return new NamespaceState(
                        lines[1], Long.parseLong(lines[2]), Long.parseLong(lines[3]), Long.parseUnsignedLong(lines[4]));
            }
        } catch (NumberFormatException e) {
            // falls through
        }
        throw new LockException(
                ErrorCode.STORE_FAILED,
                "The key '" + namespace.prefix()
                        + "state' has a value that this version can't read. Nothing is held. Use the same version of Lockstep in all"
                        + " processes, or another namespace.",
                List.of(),
                null);
    }
}
