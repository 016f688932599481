package dev.lockstep.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.testservers.TestServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.jspecify.annotations.Nullable;

/**
 * Runs of grants on the server, step by step against a model: leases of one lock in the order of arrival. An exclusive one has the lock when none is
 * ahead of it, a shared one when only shared ones are. Processes pass locks on or have lost the reply that let them, waiters give up, leases expire,
 * and processes die, at any step.
 */
@Tag("slow")
@Tag("once")
class GrantRunScriptsTest {
    private static final AtomicInteger KEYS = new AtomicInteger();
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final int LONGEST_RUN = 16;
    private static final int CROWD = 24;

    private static @Nullable ScriptCaller scripts;

    private record Party(String lease, String process, String mode) {
        boolean isExclusive() {
            return mode.equals("X");
        }
    }

    @BeforeContainer
    static void start() {
        scripts = new ScriptCaller(
                TestServers.redis(), Realm.on(TestServers.redis(), LONG, LONG).create());
    }

    @AfterContainer
    static void stop() {
        scripts().close();
    }

    private static ScriptCaller scripts() {
        return Objects.requireNonNull(scripts);
    }

    @Property(tries = 30, shrinking = ShrinkingMode.OFF)
    void everyStepKeepsTheOrderOfArrival(@ForAll long seed) {
        new Play(seed).run(120);
    }

    @Property(tries = 1_500, shrinking = ShrinkingMode.OFF)
    @Tag("long")
    void everyStepKeepsTheOrderOfArrivalManyTimes(@ForAll long seed) {
        new Play(seed).run(200);
    }

    private static final class Play {
        private final Random random;
        private final String key = "k" + KEYS.incrementAndGet();
        private final List<Party> line = new ArrayList<>();
        /** What each process believes comes after a lease. */
        private final Map<String, String> next = new HashMap<>();

        private final Map<String, Long> tokens = new HashMap<>();
        private long greatest;

        Play(long seed) {
            random = new Random(seed);
        }

        void run(int steps) {
            for (int step = 0; step < steps; step++) {
                step();
                check(step);
            }
            while (!line.isEmpty()) {
                release(line.get(0));
                check(steps);
            }
        }

        private void step() {
            int dice = random.nextInt(100);
            if (line.isEmpty() || dice < 45 && line.size() < CROWD) {
                arrive();
            } else if (dice < 75) {
                release(line.get(0));
            } else if (dice < 82) {
                release(any());
            } else if (dice < 90) {
                askAgain(any());
            } else if (dice < 95) {
                giveUp(any());
            } else if (dice < 98) {
                expire();
            } else {
                kill();
            }
        }

        private Party any() {
            return line.get(random.nextInt(line.size()));
        }

        private boolean has(Party party) {
            int place = line.indexOf(party);
            return line.subList(0, place).stream().noneMatch(each -> each.isExclusive() || party.isExclusive());
        }

        private String ask(Party party, boolean waits) {
            return scripts().acquire(party.lease(), party.process(), waits, LONG, LONG, party.mode(), key);
        }

        private void arrive() {
            String process = random.nextInt(10) < 8 ? "p" : "q";
            Party party = new Party(scripts().newLease(), process, random.nextInt(10) < 9 ? "X" : "S");
            boolean waits = random.nextInt(10) > 0;
            line.add(party);
            String reply = ask(party, waits);
            assertThat(reply).isEqualTo(has(party) ? "granted" : waits ? "queued" : "busy");
            if (reply.equals("busy")) {
                line.remove(party);
            }
        }

        /** By its process, which lets in the next one that it knows of, if it has the lock; or the reply says who is next. */
        private void release(Party party) {
            boolean held = has(party);
            line.remove(party);
            String known = held ? next.remove(party.lease()) : null;
            while (held && known != null && !isInLine(known)) {
                known = next.remove(known);
            }
            boolean passesOn = held && known != null;
            if (passesOn) {
                assertThat(line.get(0).lease()).as("passed on").isEqualTo(known);
            }
            List<Object> reply = scripts().release(party.lease(), party.process(), passesOn, party.mode(), key);
            assertThat(reply.get(0)).isEqualTo(tokens.containsKey(party.lease()) ? 1L : 0L);
            learn(reply, party.process());
        }

        private boolean isInLine(String lease) {
            return line.stream().anyMatch(each -> each.lease().equals(lease));
        }

        /** Unless the reply is lost. */
        private void learn(List<Object> reply, String process) {
            boolean lost = random.nextInt(10) == 0;
            for (int i = 1; i < reply.size(); i += GrantedLease.WORDS) {
                String lease = (String) reply.get(i);
                String predecessor = (String) reply.get(i + 2);
                assertThat(line)
                        .anyMatch(each ->
                                each.lease().equals(lease) && each.process().equals(process));
                if (predecessor.isEmpty()) {
                    assertThat(line).anyMatch(each -> each.lease().equals(lease) && has(each));
                } else if (!lost) {
                    next.put(predecessor, lease);
                }
            }
        }

        private void askAgain(Party party) {
            String reply = ask(party, true);
            assertThat(reply).isIn(has(party) ? List.of("granted") : List.of("next", "queued"));
        }

        private void giveUp(Party party) {
            boolean has = has(party);
            assertThat(ask(party, false)).isEqualTo(has ? "granted" : "busy");
            if (!has) {
                line.remove(party);
            }
        }

        private void expire() {
            List<Party> granted = line.stream()
                    .filter(each -> tokens.containsKey(each.lease()))
                    .toList();
            if (!granted.isEmpty()) {
                Party party = granted.get(random.nextInt(granted.size()));
                scripts().letExpire(party.lease());
                end(List.of(party));
            }
        }

        private void kill() {
            String process = random.nextBoolean() ? "p" : "q";
            scripts().letProcessExpire(process);
            end(line.stream().filter(each -> each.process().equals(process)).toList());
        }

        /** Expired leases are removed when one that waits asks. A later release of them, by a process that had stood still, changes nothing. */
        private void end(List<Party> expired) {
            line.removeAll(expired);
            for (Party each : List.copyOf(line)) {
                askAgain(each);
            }
            for (Party each : expired) {
                next.remove(each.lease());
                List<Object> reply = scripts().release(each.lease(), each.process(), each.mode(), key);
                assertThat(reply.get(0)).isEqualTo(0L);
                learn(reply, each.process());
            }
        }

        private void check(int step) {
            List<StoredLease> granted = scripts().records().stream()
                    .filter(each -> !each.waits() && each.keys().contains(key))
                    .sorted(Comparator.comparingLong(StoredLease::number))
                    .toList();
            List<Party> order = granted.stream()
                    .map(each -> line.stream()
                            .filter(party -> party.lease().equals(each.id().toString()))
                            .findFirst()
                            .orElseThrow(() -> new AssertionError("step " + step + ": " + each + " is left")))
                    .toList();
            assertThat(order)
                    .as("step %d: all that have the lock, in this order", step)
                    .containsAll(line.stream().filter(this::has).toList());
            if (!order.isEmpty() && order.get(0).isExclusive()) {
                assertThat(order)
                        .as("step %d: a run", step)
                        .isEqualTo(line.subList(0, order.size()))
                        .allMatch(each -> each.isExclusive()
                                && each.process().equals(order.get(0).process()))
                        .hasSizeLessThanOrEqualTo(LONGEST_RUN);
            } else {
                assertThat(order).as("step %d: shared", step).allMatch(this::has);
            }
            for (StoredLease each : granted) {
                Long known = tokens.put(each.id().toString(), each.number());
                if (known == null) {
                    assertThat(each.number()).as("step %d: token", step).isGreaterThan(greatest);
                    greatest = each.number();
                } else {
                    assertThat(each.number()).isEqualTo(known);
                }
            }
        }
    }
}
