package dev.lockstep.etcd;

import dev.lockstep.core.doctor.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What is to be thought of a cluster and its members, judged apart from the calls that found it out. */
final class EtcdRules {
    private static final int SAFE_MEMBERS = 3;
    private static final long LARGE_DATABASE = 1_500L << 20; // of 2 GB, the default quota

    private EtcdRules() {}

    static Finding version(String member, String text) {
        EtcdVersion version = EtcdVersion.parse(text).orElse(null);
        if (version == null) {
            return Finding.warning(
                    member + " has the version '" + text + "', which can't be read.",
                    "Check that it is 3.5.23 or newer.");
        }
        if (version.isBelow(0, 0)) {
            return Finding.error(
                    member + " runs etcd " + version + ", which lacks transactions that locks need.",
                    "Use 3.5.23 or newer.");
        }
        if (version.isBelow(31, 13)) {
            return Finding.warning(
                    member + " runs etcd " + version
                            + ". A leader that stood still may revoke leases there that another leader has"
                            + " extended: a lock is lost, and may be granted while its holder still counts on it.",
                    "Update to 3.4.38, 3.5.23 or newer.");
        }
        if (version.isBelow(38, 23)) {
            return Finding.warning(
                    member + " runs etcd " + version + ", where a renewal may succeed although the lease was revoked.",
                    "Update to 3.4.38, 3.5.23 or newer.");
        }
        return Finding.ok(member + " runs etcd " + version + ".");
    }

    static Finding members(int count) {
        if (count < SAFE_MEMBERS) {
            return Finding.warning(
                    "The cluster has " + count + (count == 1 ? " member" : " members")
                            + ": the loss of one stops all locks, and that of its disk loses them.",
                    "Run three or five members, on separate machines.");
        }
        return count % 2 == 0
                ? Finding.warning(
                        "The cluster has " + count + " members, and survives no more losses than with " + (count - 1)
                                + ".",
                        "Run an odd number of members.")
                : Finding.ok(
                        "The cluster has " + count + " members, and works without " + (count - 1) / 2 + " of them.");
    }

    static List<Finding> alarms(Set<String> alarms) {
        List<Finding> findings = new ArrayList<>();
        if (alarms.contains("NOSPACE")) {
            findings.add(Finding.error(
                    "A member has used up its quota (alarm NOSPACE): nothing can be locked.",
                    "Compact, defragment the members, raise --quota-backend-bytes, and run 'etcdctl alarm disarm'."));
        }
        if (alarms.contains("CORRUPT")) {
            findings.add(Finding.error(
                    "The members disagree about their data (alarm CORRUPT).",
                    "Replace the member whose data differs, and run 'etcdctl alarm disarm'."));
        }
        return findings.isEmpty() ? List.of(Finding.ok("No alarm is raised.")) : findings;
    }

    static Finding size(String member, long bytes, long inUse) {
        String size = member + " keeps " + (bytes >> 20) + " MB, " + (inUse >> 20) + " MB of it in use.";
        return bytes > LARGE_DATABASE
                ? Finding.warning(
                        size
                                + " At its quota, 2 GB unless --quota-backend-bytes says otherwise, it refuses every lock.",
                        "Have it compact on its own (--auto-compaction-retention=1h), defragment it, or raise the quota.")
                : Finding.ok(size, "Have each member compact on its own: --auto-compaction-retention=1h.");
    }

    static Finding tls(boolean tls, boolean loopback) {
        if (tls) {
            return Finding.ok("The connection uses TLS.");
        }
        return loopback
                ? Finding.ok("The connection has no TLS, and stays on this machine.")
                : Finding.warning(
                        "The connection has no TLS: passwords and locks can be read and changed on the way.",
                        "Give the members certificates, and write etcds:// instead of etcd://.");
    }
}
