package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.lockstep.inventory.Outcome.Received;
import dev.lockstep.testservers.ChildJvm;
import dev.lockstep.testservers.Scale;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestDatabase;
import dev.lockstep.testservers.TestServers;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each process has locks and lanes of its own; only the rows keep them apart. */
@Tag("slow")
@Tag("once")
@Execution(ExecutionMode.CONCURRENT)
final class TwoProcessesTest {
    private record Pair(Strategy first, Strategy second) {
        /** Whether each of them sells to the last piece, instead of giving up when the other is faster. */
        boolean isPersistent() {
            return Stream.of(first, second).noneMatch(s -> s == Strategy.OPTIMISTIC || s == Strategy.LOCKED);
        }
    }

    private static List<Pair> pairs() {
        List<Pair> pairs = new ArrayList<>();
        for (Strategy strategy : Strategy.values()) {
            pairs.add(new Pair(strategy, strategy));
            if (strategy != Strategy.COMBINING) {
                pairs.add(new Pair(strategy, Strategy.COMBINING));
            }
        }
        pairs.add(new Pair(Strategy.PESSIMISTIC, Strategy.ADAPTIVE));
        pairs.add(new Pair(Strategy.OPTIMISTIC, Strategy.PESSIMISTIC));
        return pairs;
    }

    /** All pairs take a while: each server has its share of them, and all of them in a long run. */
    private static List<Pair> pairsFor(ServerKind kind) {
        List<Pair> all = pairs();
        int from = List.of(ServerKind.MYSQL, ServerKind.MARIADB, ServerKind.POSTGRES)
                .indexOf(kind);
        int step = Scale.pick(3, 1);
        return IntStream.range(0, all.size())
                .filter(i -> i % step == from % step)
                .mapToObj(all::get)
                .toList();
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB", "POSTGRES"})
    void two_processes_never_oversell_and_never_meet_a_deadlock(ServerKind kind) throws Exception {
        try (TestDatabase database = TestServers.shared(kind).freshDatabase();
                HikariDataSource pool = TestPool.to(database.jdbcUrl(), database.user(), database.password());
                ChildJvm one =
                        ChildJvm.start(ShopChild.class, database.jdbcUrl(), database.user(), database.password());
                ChildJvm two =
                        ChildJvm.start(ShopChild.class, database.jdbcUrl(), database.user(), database.password())) {
            InventorySchema.on(pool).apply();
            for (int round = 0; round < Scale.pick(1, 10); round++) {
                for (Pair pair : pairsFor(kind)) {
                    meet(pool, pair, one, two, pair.first() + "-" + pair.second() + "-" + round);
                }
            }
        }
    }

    private static void meet(HikariDataSource pool, Pair pair, ChildJvm one, ChildJvm two, String name)
            throws Exception {
        String a = name + "-A";
        String b = name + "-B";
        try (Inventory inventory = TestShop.patient(pool).build()) {
            for (String sku : List.of(a, b)) {
                assertThat(inventory.receive(StockLine.line(sku, "TOKYO", 40), "first-" + sku))
                        .isInstanceOf(Received.class);
            }
        }
        one.tell("buy " + pair.first() + " " + name + "-one- 15 " + a + "," + b);
        two.tell("buy " + pair.second() + " " + name + "-two- 15 " + b + "," + a);
        sellsAtMost(30, List.of(one.answer(), two.answer()), pair);
        one.tell("buy " + pair.first() + " " + name + "-alone-one- 25 " + a);
        two.tell("buy " + pair.second() + " " + name + "-alone-two- 25 " + a);
        List<String> answers = List.of(one.answer(), two.answer());
        assertThat(answers).as("%s", pair).allMatch(answer -> answer.matches("\\{[A-Za-z]+=\\d+.*}"));
        assertThat(answers).as("%s", pair).noneMatch(answer -> answer.contains("Failed") || answer.contains("Unknown"));
        LedgerAudit audit = new LedgerAudit(pool);
        audit.booksBalance();
        int sold = audit.reservations(new StockKey(a, "TOKYO")).size();
        assertThat(sold).as("%s: %s", pair, answers).isLessThanOrEqualTo(40);
        if (pair.isPersistent()) {
            assertThat(sold).as("%s: %s", pair, answers).isEqualTo(40);
        }
    }

    private static void sellsAtMost(int orders, List<String> answers, Pair pair) {
        assertThat(answers).as("%s", pair).noneMatch(answer -> answer.contains("Failed") || answer.contains("Unknown"));
        if (pair.isPersistent()) {
            assertThat(answers).as("%s", pair).containsOnly("{Reserved=" + orders / 2 + "}");
        }
    }
}
