package dev.lockstep.core;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Plain memory that nothing but the locks under test protects: a broken lock loses an increment, or lets two meet. An actor
 * is whoever counts as one holder; it uses only its own rows of the arrays.
 */
final class Ledger {
    /** One thing that an actor has asked for, by its number. */
    record Want(int thing, boolean exclusive) {}

    private final List<LockKey> things;
    private final int[][] below;
    private final long[] counters;
    private final int[] writers;
    private final FencingToken[] tokens;
    private final int[][] readers;
    private final long[][] written;
    private final AtomicReference<String> trouble = new AtomicReference<>();

    Ledger(List<LockKey> things, int actors) {
        this.things = things;
        int size = things.size();
        below = new int[size][];
        for (int i = 0; i < size; i++) {
            below[i] = below(things.get(i));
        }
        counters = new long[size];
        writers = new int[size];
        tokens = new FencingToken[size];
        readers = new int[actors][size];
        written = new long[actors][size];
    }

    /** The thing itself and all that it contains. */
    private int[] below(LockKey top) {
        return java.util.stream.IntStream.range(0, things.size())
                .filter(i -> things.get(i).equals(top) || top.isAncestorOf(things.get(i)))
                .toArray();
    }

    LockRequest request(List<Want> wants) {
        LockRequest request = null;
        for (Want want : wants) {
            LockKey key = things.get(want.thing);
            if (request == null) {
                request = want.exclusive ? LockRequest.exclusive(key) : LockRequest.shared(key);
            } else {
                request = want.exclusive ? request.andExclusive(key) : request.andShared(key);
            }
        }
        return request;
    }

    /** What an actor does between getting its locks and giving them back. */
    final class Visit {
        private final int actor;
        private final List<Integer> writes = new ArrayList<>();
        private final List<Integer> reads = new ArrayList<>();
        private final List<Long> seen = new ArrayList<>();

        private Visit(int actor) {
            this.actor = actor;
        }

        private void write(int thing, FencingToken token) {
            if (writers[thing] == actor + 1) {
                return; // its own, from an outer visit
            }
            check(writers[thing] == 0, thing, "is written by " + writers[thing] + " and by", actor);
            for (int other = 0; other < readers.length; other++) {
                check(
                        other == actor || readers[other][thing] == 0,
                        thing,
                        "is read by " + other + " and written by",
                        actor);
            }
            risingToken(thing, token);
            tokens[thing] = token;
            writers[thing] = actor + 1;
            writes.add(thing);
            seen.add(counters[thing]);
        }

        private void read(int thing, FencingToken token) {
            if (writers[thing] == actor + 1) {
                return;
            }
            check(writers[thing] == 0, thing, "is written by " + writers[thing] + " and read by", actor);
            risingToken(thing, token);
            readers[actor][thing]++;
            reads.add(thing);
            seen.add(counters[thing] - written[actor][thing]); // its own writes, in inner visits, don't count
        }

        private void risingToken(int thing, FencingToken token) {
            FencingToken last = tokens[thing];
            check(
                    last == null || last.compareTo(token) < 0,
                    thing,
                    "had token " + last + " before " + token + " of",
                    actor);
        }

        /** To be called while the locks are still held. */
        void leave() {
            for (int i = 0; i < writes.size(); i++) {
                int thing = writes.get(i);
                check(writers[thing] == actor + 1, thing, "was taken over by " + writers[thing] + " from", actor);
                counters[thing] = seen.get(i) + 1;
                written[actor][thing]++;
                writers[thing] = 0;
            }
            for (int i = 0; i < reads.size(); i++) {
                int thing = reads.get(i);
                long before = seen.get(writes.size() + i);
                check(counters[thing] - written[actor][thing] == before, thing, "changed while it was read by", actor);
                readers[actor][thing]--;
            }
        }
    }

    /** To be called when the locks are held. */
    Visit enter(int actor, List<Want> wants, FencingToken token) {
        Visit visit = new Visit(actor);
        for (Want want : wants) {
            if (want.exclusive) {
                for (int thing : below[want.thing]) {
                    visit.write(thing, token);
                }
            }
        }
        for (Want want : wants) {
            if (!want.exclusive) {
                for (int thing : below[want.thing]) {
                    visit.read(thing, token);
                }
            }
        }
        return visit;
    }

    private void check(boolean ok, int thing, String what, int actor) {
        if (!ok) {
            trouble.compareAndSet(null, things.get(thing) + " " + what + " " + actor);
        }
    }

    /** The first thing that went wrong; null if nothing did. */
    String trouble() {
        return trouble.get();
    }

    /** To be called when nobody is at work: the things whose counters lost something. */
    List<String> lost() {
        List<String> lost = new ArrayList<>();
        for (int i = 0; i < counters.length; i++) {
            long sum = 0;
            for (long[] row : written) {
                sum += row[i];
            }
            if (sum != counters[i]) {
                lost.add(things.get(i) + " counts " + counters[i] + " of " + sum);
            }
        }
        return lost;
    }

    long increments() {
        long sum = 0;
        for (long counter : counters) {
            sum += counter;
        }
        return sum;
    }
}
