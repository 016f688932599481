package dev.lockstep.inventory.books;

import dev.lockstep.inventory.Change;
import dev.lockstep.inventory.EntryType;
import dev.lockstep.inventory.Outcome.Accepted;
import dev.lockstep.inventory.Outcome.Adjusted;
import dev.lockstep.inventory.Outcome.Cancelled;
import dev.lockstep.inventory.Outcome.Expired;
import dev.lockstep.inventory.Outcome.Extended;
import dev.lockstep.inventory.Outcome.Received;
import dev.lockstep.inventory.Outcome.Repaired;
import dev.lockstep.inventory.Outcome.Reserved;
import dev.lockstep.inventory.Outcome.SafetyStockSet;
import dev.lockstep.inventory.Outcome.Shipped;
import dev.lockstep.inventory.Stock;
import dev.lockstep.inventory.StockKey;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the ledger has of some requests, and when, by the server's clock, it was looked at. */
public final class Journal {
    /** The columns that {@link #of} reads. */
    static final String COLUMNS = """
            request_id, payload_hash, type, sku, location, sequence,
            physical_change, allocated_change, physical_after, allocated_after, reservation_id, request_line""";

    private static final String NO_COLUMNS =
            "NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL";

    private final LocalDateTime now;
    private final Map<String, Found> found;

    private record Found(
            String hash,
            EntryType type,
            @Nullable String reservationId,
            @Nullable String note,
            List<Change> changes) {}

    private Journal(LocalDateTime now, Map<String, Found> found) {
        this.now = now;
        this.found = found;
    }

    /** A query that only reads the time. */
    static String clock(String clock) {
        return "SELECT " + clock + ", " + NO_COLUMNS;
    }

    /** A query of which one row has the time, whatever is found. */
    static String query(String clock, String hint, String condition) {
        return clock(clock) + " UNION ALL SELECT created_at, " + COLUMNS + ", note FROM inventory_transaction " + hint
                + " WHERE " + condition;
    }

    static Journal of(ResultSet result) throws SQLException {
        @Nullable LocalDateTime now = null;
        Map<String, Map<Integer, Change>> changes = new HashMap<>();
        Map<String, Found> found = new HashMap<>();
        while (result.next()) {
            @Nullable String id = result.getString(2);
            if (id == null) {
                now = result.getObject(1, LocalDateTime.class);
                continue;
            }
            changes.computeIfAbsent(id, any -> new TreeMap<>()).put(result.getInt(13), change(result));
            found.put(
                    id,
                    new Found(
                            result.getString(3),
                            EntryType.valueOf(result.getString(4)),
                            result.getString(12),
                            result.getString(14),
                            new ArrayList<>()));
        }
        found.forEach((id, one) ->
                one.changes().addAll(Objects.requireNonNull(changes.get(id)).values()));
        return new Journal(Objects.requireNonNull(now), found);
    }

    private static Change change(ResultSet result) throws SQLException {
        StockKey key = new StockKey(result.getString(5), result.getString(6));
        Stock after = new Stock(key, result.getLong(10), result.getLong(11), result.getLong(7));
        return new Change(result.getLong(8), result.getLong(9), after);
    }

    LocalDateTime now() {
        return now;
    }

    /** The outcomes of the requests that were found. */
    public Map<String, CompletedRequest> completed(Connection connection, Tables tables) throws SQLException {
        Map<String, CompletedRequest> completed = new HashMap<>();
        if (!found.isEmpty()) {
            Map<String, Hold> holds = tables.holds(connection, found.keySet());
            found.forEach((id, one) ->
                    completed.put(id, new CompletedRequest(one.hash(), outcome(id, one, holds.get(id)))));
        }
        return completed;
    }

    private static Accepted outcome(String id, Found one, @Nullable Hold hold) {
        List<Change> changes = List.copyOf(one.changes());
        String reservation = Objects.requireNonNullElse(one.reservationId(), id);
        return switch (one.type()) {
            case RESERVE -> new Reserved(id, changes, firstExpiry(one, hold));
            case CANCEL -> new Cancelled(id, reservation, changes);
            case SHIP -> new Shipped(id, reservation, changes);
            case EXPIRE -> new Expired(id, reservation, changes);
            case EXTEND -> new Extended(id, reservation, changes, Instant.parse(Objects.requireNonNull(one.note())));
            case RECEIVE -> new Received(id, changes);
            case ADJUST -> new Adjusted(id, changes);
            case SAFETY -> new SafetyStockSet(id, changes);
            case REPAIR -> new Repaired(id, changes);
            case CHECKPOINT -> throw new IllegalStateException("No request has the id of a checkpoint: " + id);
        };
    }

    /** The reservation may have been extended since. Lines of earlier versions have no note: for them it is the best there is. */
    private static Optional<Instant> firstExpiry(Found reserve, @Nullable Hold hold) {
        if (reserve.note() != null) {
            return Optional.of(Instant.parse(reserve.note()));
        }
        return Optional.ofNullable(hold)
                .flatMap(held -> Optional.ofNullable(held.expiresAt()))
                .map(at -> at.toInstant(ZoneOffset.UTC));
    }
}
