package dev.lockstep.jdbc.provisioning;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.KindDefinition;
import dev.lockstep.jdbc.tables.KindLevel;
import dev.lockstep.jdbc.tables.KindRows;
import dev.lockstep.jdbc.tables.Layout;
import dev.lockstep.jdbc.tables.TableSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * What provisioning has to see to.
 *
 * @param kinds the kinds whose rows are created; empty for all that are recorded
 * @param settings what a new database gets
 * @param fixed whether a database with other settings is refused; else the recorded ones are taken
 * @param keys the keys that get rows where rows stand for ids, the ancestors included
 * @param chunk rows per transaction
 */
public record ProvisioningPlan(
        Optional<List<KindDefinition>> kinds, TableSettings settings, boolean fixed, List<String> keys, int chunk) {

    /** Records the settings in a new database, and returns those in force. Call it in a transaction. */
    public TableSettings settle(Connection connection) throws SQLException {
        return accept(settings.recordIfFirst(connection));
    }

    /** The recorded settings, unless they aren't what is wanted. */
    public TableSettings accept(TableSettings recorded) {
        if (fixed && settings.layout() == Layout.BUCKETS) {
            recorded.requireBuckets(settings.buckets());
        } else if (fixed) {
            recorded.requireLayout(settings.layout());
        }
        return recorded;
    }

    /** Those of the recorded kinds that the plan is about. */
    public List<KindLevel> chosen(KindRows rows) {
        List<KindLevel> all = rows.all();
        if (kinds.isEmpty() && all.isEmpty()) {
            throw new InvalidRequestException("No kinds are recorded in this database and none are given. Name them:"
                    + " Provisioning.of(dataSource).kinds(MyKinds.values()), or lockstep provision --kind user:0.");
        }
        return kinds.map(wanted -> all.stream()
                        .filter(kind -> wanted.contains(kind.definition()))
                        .toList())
                .orElse(all);
    }
}
