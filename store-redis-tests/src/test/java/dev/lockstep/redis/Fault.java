package dev.lockstep.redis;

import dev.lockstep.testservers.PrivateServer;
import dev.lockstep.testservers.TcpProxy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;

/** What a {@link ChaosTest} does to the server and the network. Each is over when it returns. */
enum Fault {
    CUT {
        @Override
        void strike(PrivateServer server, TcpProxy network, Realm realm, Duration pause) {
            network.cut();
        }
    },
    DELAY {
        @Override
        void strike(PrivateServer server, TcpProxy network, Realm realm, Duration pause) {
            network.delay(pause.dividedBy(10));
            await(pause);
            network.delay(Duration.ZERO);
        }
    },
    FREEZE {
        @Override
        void strike(PrivateServer server, TcpProxy network, Realm realm, Duration pause) {
            network.freeze();
            await(pause);
            network.thaw();
        }
    },
    /** What is on its way arrives late, or not at all. */
    FREEZE_AND_CUT {
        @Override
        void strike(PrivateServer server, TcpProxy network, Realm realm, Duration pause) {
            network.freeze();
            await(pause);
            network.cut();
            network.thaw();
        }
    },
    REFUSE {
        @Override
        void strike(PrivateServer server, TcpProxy network, Realm realm, Duration pause) {
            network.refuse();
            network.cut();
            await(pause);
            network.accept();
        }
    },
    PAUSE {
        @Override
        void strike(PrivateServer server, TcpProxy network, Realm realm, Duration pause) {
            server.pause();
            await(pause);
            server.resume();
        }
    },
    /** The snapshot is an old one as soon as it is written. */
    KILL_WITH_SNAPSHOT {
        @Override
        void strike(PrivateServer server, TcpProxy network, Realm realm, Duration pause) {
            Amnesia.command(server, "SAVE");
            await(pause);
            server.restart();
        }
    },
    KILL_WITHOUT_SNAPSHOT {
        @Override
        void strike(PrivateServer server, TcpProxy network, Realm realm, Duration pause) {
            try {
                Files.deleteIfExists(server.directory().resolve("data").resolve("dump.rdb"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            server.restart();
        }
    },
    EMPTY {
        @Override
        void strike(PrivateServer server, TcpProxy network, Realm realm, Duration pause) {
            Amnesia.command(server, "FLUSHALL");
        }
    },
    DELETE_MARKER {
        @Override
        void strike(PrivateServer server, TcpProxy network, Realm realm, Duration pause) {
            Amnesia.command(server, "DEL " + realm.memory());
        }
    },
    FORGET_SCRIPTS {
        @Override
        void strike(PrivateServer server, TcpProxy network, Realm realm, Duration pause) {
            Amnesia.command(server, "SCRIPT FLUSH");
        }
    };

    abstract void strike(PrivateServer server, TcpProxy network, Realm realm, Duration pause);

    /** How long a fault lasts is part of it. */
    static void await(Duration time) {
        try {
            Thread.sleep(time.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
