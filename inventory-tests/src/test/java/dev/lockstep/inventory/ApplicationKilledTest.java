package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.lockstep.inventory.Command.Receive;
import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.Outcome.Accepted;
import dev.lockstep.inventory.Outcome.Received;
import dev.lockstep.inventory.Outcome.Reserved;
import dev.lockstep.inventory.engine.EngineAccess;
import dev.lockstep.testservers.ChildJvm;
import dev.lockstep.testservers.Scale;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestDatabase;
import dev.lockstep.testservers.TestServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("slow")
@Tag("once")
@Execution(ExecutionMode.CONCURRENT)
final class ApplicationKilledTest {
    private static final List<Strategy> STRATEGIES = List.of(
            Strategy.GROUP_COMMIT, Strategy.ADAPTIVE, Strategy.COMBINING, Strategy.PESSIMISTIC, Strategy.OPTIMISTIC);

    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "POSTGRES"})
    void what_a_killed_process_asked_for_is_found_by_another_and_done_once(ServerKind kind) throws Exception {
        try (TestDatabase database = TestServers.shared(kind).freshDatabase();
                HikariDataSource pool = TestPool.to(database.jdbcUrl(), database.user(), database.password());
                Inventory inventory = tables(pool)) {
            for (int round = 0; round < Scale.pick(2, 24); round++) {
                Strategy strategy = STRATEGIES.get(round % STRATEGIES.size());
                Path file = directory.resolve("asked-" + kind + round);
                killInTheMiddle("flood", database, strategy, "r" + round + "-", file);
                settle(inventory, new LedgerAudit(pool), Files.readAllLines(file));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "POSTGRES"})
    void what_is_killed_while_it_deletes_what_is_old_loses_nothing(ServerKind kind) throws Exception {
        try (TestDatabase database = TestServers.shared(kind).freshDatabase();
                HikariDataSource pool = TestPool.to(database.jdbcUrl(), database.user(), database.password());
                Inventory inventory = tables(pool)) {
            for (int round = 0; round < Scale.pick(1, 12); round++) {
                Path file = directory.resolve("retained-" + kind + round);
                killInTheMiddle("retain", database, Strategy.GROUP_COMMIT, "r" + round + "-", file);
                for (String line : Files.readAllLines(file)) {
                    if (line.endsWith(" Reserved")) {
                        assertThat(inventory.reservation(line.substring(0, line.indexOf(' '))))
                                .hasValueSatisfying(
                                        held -> assertThat(held.state()).isEqualTo(HoldState.HELD));
                    }
                }
                assertThat(inventory.reconcile(found -> {}).isClean()).isTrue();
            }
            EngineAccess.retain(pool, Duration.ZERO);
            assertThat(inventory.ledger(ShopChild.floodKey(0), 0, 10))
                    .extracting(LedgerEntry::type)
                    .containsExactly(EntryType.CHECKPOINT);
            assertThat(inventory.reconcile(found -> {}).isClean()).isTrue();
        }
    }

    private static Inventory tables(HikariDataSource pool) {
        InventorySchema.on(pool).apply();
        Inventory inventory = TestShop.patient(pool).build();
        List<StockLine> lines = IntStream.range(0, ShopChild.FLOODED)
                .mapToObj(i -> new StockLine(ShopChild.floodKey(i), 1_000_000))
                .toList();
        assertThat(inventory.execute(new Receive(lines, "first"))).isInstanceOf(Received.class);
        return inventory;
    }

    private static void killInTheMiddle(
            String command, TestDatabase database, Strategy strategy, String prefix, Path file) throws IOException {
        int enough = ThreadLocalRandom.current().nextInt(20, 80) * (command.equals("retain") ? 20 : 1);
        try (ChildJvm child =
                ChildJvm.start(ShopChild.class, database.jdbcUrl(), database.user(), database.password())) {
            assertThat(child.ask(command + " " + strategy + " " + prefix + " " + file))
                    .isEqualTo("begun");
            Awaitility.await().atMost(Duration.ofMinutes(3)).until(() -> answers(file, "Reserved") >= enough);
            child.kill();
        }
    }

    private static long answers(Path file, String answer) throws IOException {
        if (!Files.exists(file)) {
            return 0;
        }
        try (var lines = Files.lines(file)) {
            return lines.filter(line -> line.endsWith(answer)).count();
        }
    }

    private static void settle(Inventory inventory, LedgerAudit audit, List<String> lines) throws Exception {
        List<String> asked = new ArrayList<>();
        List<String> acknowledged = new ArrayList<>();
        for (String line : lines) {
            String[] words = line.split(" ", 2);
            if (words[1].equals("asked")) {
                asked.add(words[0]);
            } else if (words[1].equals("Reserved")) {
                acknowledged.add(words[0]);
            }
        }
        List<Accepted> found = lookUp(inventory, asked);
        assertThat(found).extracting(Outcome::requestId).containsAll(acknowledged);
        assertThat(reserved(audit))
                .filteredOn(asked::contains)
                .as("all that was done was found, so nothing came later")
                .hasSameSizeAs(found);
        for (String id : asked) {
            Outcome again = inventory.reserve(ShopChild.floodOrder(id), id);
            assertThat(again).isInstanceOf(Reserved.class);
            found.stream()
                    .filter(before -> before.requestId().equals(id))
                    .forEach(before -> assertThat(again).isEqualTo(before));
        }
        assertThat(reserved(audit)).containsAll(asked);
        audit.booksBalance();
    }

    private static Set<String> reserved(LedgerAudit audit) throws SQLException {
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < ShopChild.FLOODED; i++) {
            ids.addAll(audit.reservations(ShopChild.floodKey(i)).keySet());
        }
        return ids;
    }

    private static List<Accepted> lookUp(Inventory inventory, List<String> ids) {
        return ids.stream()
                .map(id -> inventory.outcomeOf(new Reserve(ShopChild.floodOrder(id), id)))
                .flatMap(Optional::stream)
                .toList();
    }
}
