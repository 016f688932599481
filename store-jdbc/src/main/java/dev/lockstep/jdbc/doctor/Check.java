package dev.lockstep.jdbc.doctor;

import dev.lockstep.core.LockException;
import dev.lockstep.core.doctor.Finding;
import dev.lockstep.jdbc.sql.SqlFault;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * One check of a {@code Doctor}.
 *
 * @param subject what is checked, for a message
 */
public record Check(String subject, Body body) {
    /** Finds out, on a connection in autocommit mode, without a change to the server. */
    public interface Body {
        public List<Finding> run(Connection connection) throws SQLException;
    }

    /** The findings; a check that the server refused is a finding too. */
    public List<Finding> run(Connection connection) throws SQLException {
        try {
            return body.run(connection);
        } catch (SQLException e) {
            if (SqlFault.of(e) == SqlFault.CONNECTION_LOST) {
                throw e;
            }
            return List.of(Finding.warning(
                    "The " + subject + " can't be examined: " + Finding.reason(e),
                    "Check it by hand, or examine with a user who may see it."));
        } catch (LockException e) {
            return List.of(Finding.error("The " + subject + " can't be used.", Finding.reason(e)));
        }
    }
}
