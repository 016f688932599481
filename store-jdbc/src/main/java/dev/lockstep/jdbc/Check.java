package dev.lockstep.jdbc;

import dev.lockstep.core.Finding;
import dev.lockstep.core.LockException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * One thing that a {@link Doctor} looks at.
 *
 * @param subject what is looked at, for a message
 */
record Check(String subject, Body body) {
    /** Finds out, on a connection in autocommit mode, without a change to the server. */
    interface Body {
        List<Finding> run(Connection connection) throws SQLException;
    }

    /** What was found; a look that the server refused is a finding too. */
    List<Finding> run(Connection connection) throws SQLException {
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
