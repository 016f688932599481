package dev.lockstep.chaos;

import dev.lockstep.testservers.PrivateServer;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TcpProxy;
import java.util.Locale;
import java.util.function.Predicate;

/** What is done to servers, lines, processes and clocks. Each has ended, and healed, when {@link #strike} returns. */
enum FaultKind {
    /** A server is killed with kill -9, and comes back later. */
    KILL_SERVER {
        @Override
        void strike(FaultStrike blow) {
            blow.breaking("*", blow.server()::kill);
            blow.last();
            blow.server().restart();
        }
    },
    /** A server is shut down in good order, and comes back. */
    RESTART_SERVER {
        @Override
        void strike(FaultStrike blow) {
            blow.breaking("*", blow.server()::stop);
            blow.server().restart();
        }
    },
    /** A server stands still. */
    PAUSE_SERVER {
        @Override
        void strike(FaultStrike blow) {
            blow.server().pause();
            blow.last();
            blow.server().resume();
        }
    },
    /** Redis forgets everything. */
    FLUSH(Setup::isOnRedis) {
        @Override
        void strike(FaultStrike blow) {
            RedisCommand.send(blow.redis(), "FLUSHALL");
        }

        @Override
        boolean fits(PrivateServer server) {
            return server.kind() == ServerKind.REDIS;
        }
    },
    /** One process's connections to a server are reset, and new ones refused. */
    CUT(Setup::hasLines) {
        @Override
        void strike(FaultStrike blow) {
            TcpProxy line = blow.line();
            line.refuse();
            blow.breaking(blow.process(), line::cut);
            blow.last();
            line.accept();
        }
    },
    /** One process's line to a server swallows everything; what was sent arrives late, or never. */
    HANG(Setup::hasLines) {
        @Override
        void strike(FaultStrike blow) {
            blow.line().freeze();
            blow.last();
            blow.thawLateOrNever();
        }
    },
    /** One process's requests arrive at a server, and the answers don't come back. */
    SWALLOW_ANSWERS(Setup::hasLines) {
        @Override
        void strike(FaultStrike blow) {
            blow.line().freezeAnswers();
            blow.last();
            blow.thawLateOrNever();
        }
    },
    /** One process's requests don't arrive at a server, and it hears what others cause. */
    SWALLOW_REQUESTS(Setup::hasLines) {
        @Override
        void strike(FaultStrike blow) {
            blow.line().freezeRequests();
            blow.last();
            blow.thawLateOrNever();
        }
    },
    /** One process's line comes and goes. */
    FLAP(Setup::hasLines) {
        @Override
        void strike(FaultStrike blow) {
            TcpProxy line = blow.line();
            do {
                line.refuse();
                blow.breaking(blow.process(), line::cut);
                blow.moment();
                line.accept();
                blow.moment();
            } while (!blow.isOver());
        }
    },
    /** One process stands still for longer than a term. */
    STOP_PROCESS {
        @Override
        void strike(FaultStrike blow) {
            blow.post().process().stop();
            blow.lastLongerThan(Setup.TERM);
            blow.post().process().goOn();
        }
    },
    /** One process is killed with kill -9, and another one takes its place. */
    KILL_PROCESS {
        @Override
        void strike(FaultStrike blow) {
            blow.post().process().kill();
            blow.note("killed");
            blow.last();
            blow.post().replace();
            blow.post().tell("begin");
        }
    },
    /** One process's wall clock jumps forward, by less or more than a term. */
    CLOCK_FORWARD {
        @Override
        void strike(FaultStrike blow) {
            blow.post().tell("step " + blow.length().toMillis() * 2);
        }
    },
    /** One process's wall clock jumps back. */
    CLOCK_BACK {
        @Override
        void strike(FaultStrike blow) {
            blow.post().tell("step -" + blow.length().toMillis() * 2);
        }
    },
    /** All servers of a pair are down at once. */
    ALL_DOWN(Setup::isPair) {
        @Override
        void strike(FaultStrike blow) {
            blow.killAll();
            blow.last();
            blow.restartAll();
        }
    },
    /** One process reaches only the first server of a pair, the others only the second, for long enough to switch. */
    SPLIT(Setup::isPair) {
        @Override
        void strike(FaultStrike blow) {
            blow.split();
            blow.lastLongerThan(Setup.SWITCH);
            blow.mend();
        }
    },
    /** A master of a cluster is killed, its replica takes over, and it comes back as a replica. */
    FAIL_OVER(Setup::isCluster) {
        @Override
        void strike(FaultStrike blow) {
            PrivateServer master = blow.redis();
            master.kill();
            blow.awaitPromotion(master);
            blow.last();
            master.restart();
        }
    },
    /** Locks of a cluster move to another master. */
    MOVE_SLOT(Setup::isCluster) {
        @Override
        void strike(FaultStrike blow) {
            blow.moveSlot();
        }
    };

    @SuppressWarnings("ImmutableEnumChecker") // none of them has a state
    private final Predicate<Setup> fitting;

    FaultKind() {
        this(any -> true);
    }

    FaultKind(Predicate<Setup> fitting) {
        this.fitting = fitting;
    }

    abstract void strike(FaultStrike blow);

    boolean fits(Setup setup) {
        return fitting.test(setup);
    }

    boolean fits(PrivateServer server) {
        return true;
    }

    String title() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
