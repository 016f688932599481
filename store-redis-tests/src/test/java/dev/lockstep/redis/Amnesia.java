package dev.lockstep.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.testservers.PrivateServer;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestServers;

/** The ways in which a server forgets a lease: how it is configured, and what happens to it. */
enum Amnesia {
    EMPTIED("--appendonly yes") {
        @Override
        void strike(PrivateServer server, Realm realm) {
            command(server, "FLUSHALL");
        }
    },
    KILLED_WITHOUT_A_DISK("--appendonly no") {
        @Override
        void strike(PrivateServer server, Realm realm) {
            server.restart();
        }
    },
    KILLED_WITH_AN_OLD_SNAPSHOT("--appendonly no") {
        @Override
        void beforeTheLease(PrivateServer server) {
            command(server, "SAVE");
        }

        @Override
        void strike(PrivateServer server, Realm realm) {
            restartAsAnother(server);
        }
    },
    /** The server remembers everything; it can't know that it does. */
    KILLED_WITH_A_LOG("--appendonly yes --appendfsync always") {
        @Override
        void strike(PrivateServer server, Realm realm) {
            restartAsAnother(server);
        }
    },
    STOPPED_IN_GOOD_ORDER("--appendonly yes") {
        @Override
        void strike(PrivateServer server, Realm realm) {
            server.stop();
            server.restart();
        }
    },
    WITHOUT_ITS_MARKER("--appendonly yes") {
        @Override
        void strike(PrivateServer server, Realm realm) {
            command(server, "DEL " + realm.memory());
        }
    },
    /** Somebody deletes what looks like rubbish. */
    WITHOUT_MARKER_AND_LEASES("--appendonly yes") {
        @Override
        void strike(PrivateServer server, Realm realm) {
            command(
                    server,
                    "DEL " + realm.memory() + " " + realm.memory() + ":leases " + realm.memory() + ":lock:user:u1");
        }
    };

    private final String options;

    Amnesia(String options) {
        this.options = options;
    }

    PrivateServer server(ServerKind kind) {
        return TestServers.start(kind, options.split(" ", -1));
    }

    void beforeTheLease(PrivateServer server) {}

    abstract void strike(PrivateServer server, Realm realm);

    /** A server that comes back with the keys of before has another run_id. */
    private static void restartAsAnother(PrivateServer server) {
        String before = runId(server);
        server.restart();
        assertThat(runId(server)).isNotEqualTo(before);
    }

    static String runId(PrivateServer server) {
        try (RedisAdmin admin = new RedisAdmin(server)) {
            return admin.info("server")
                    .lines()
                    .filter(line -> line.startsWith("run_id:"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    static void command(PrivateServer server, String line) {
        try (RedisAdmin admin = new RedisAdmin(server)) {
            admin.run(line);
        }
    }
}
