package dev.lockstep.cli.verify;

import dev.lockstep.core.LockKey;
import java.util.ArrayList;
import java.util.List;

/**
 * What one behaviour locks. Each has things of its own, so that what a broken store leaves locked can't disturb the next one. The
 * names are fixed: a test sees to it that no two of them share one of the few rows of a scratch database.
 */
record Things(String behaviour) {
    static final List<String> USERS = List.of("u1", "u2");
    static final List<String> ACCOUNTS = List.of("a1", "a2");
    static final List<String> RESOURCES = List.of("r1", "r2");

    LockKey user(String user) {
        return TrialKind.USER.key(behaviour + "-" + user);
    }

    LockKey account(String user, String account) {
        return user(user).child(TrialKind.ACCOUNT, account);
    }

    LockKey resource(String user, String account, String resource) {
        return account(user, account).child(TrialKind.RESOURCE, resource);
    }

    /** A resource of the first account of the first user. */
    LockKey resource(String resource) {
        return resource("u1", "a1", resource);
    }

    LockKey character() {
        return TrialKind.CHARACTER.key(behaviour + "-A");
    }

    LockKey equipment() {
        return TrialKind.EQUIPMENT.key(behaviour + "-B");
    }

    List<LockKey> resources() {
        return all().stream().filter(key -> key.kind() == TrialKind.RESOURCE).toList();
    }

    List<LockKey> all() {
        List<LockKey> all = new ArrayList<>(List.of(character(), equipment()));
        for (String user : USERS) {
            all.add(user(user));
            for (String account : ACCOUNTS) {
                all.add(account(user, account));
                RESOURCES.forEach(resource -> all.add(resource(user, account, resource)));
            }
        }
        return all;
    }
}
