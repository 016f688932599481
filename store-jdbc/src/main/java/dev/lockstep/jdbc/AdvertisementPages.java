package dev.lockstep.jdbc;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/** More connections on a {@link KindAdvertisement}, for kinds that the text of one statement has no room for; mostly there are none. */
final class AdvertisementPages {
    private static final long LONGEST_CALL = TimeUnit.SECONDS.toNanos(2);

    private final InspectionSession inspection;
    private final AdvertisementSql sql;
    private final List<LockSession> pages = new ArrayList<>();

    AdvertisementPages(InspectionSession inspection, AdvertisementSql sql) {
        this.inspection = inspection;
        this.sql = sql;
    }

    LongStream serverIds() {
        return pages.stream().mapToLong(page -> page.serverId);
    }

    void provide(int count) throws SQLException {
        while (pages.size() < count) {
            pages.add(inspection.connect());
        }
    }

    void show(List<String> comments) throws SQLException {
        for (int i = 0; i < comments.size(); i++) {
            LockSession page = pages.get(i);
            String comment = comments.get(i);
            if (!page.preface.equals(comment)) {
                inspection.call(page, LONGEST_CALL, () -> {
                    sql.show(page, comment);
                    return true;
                });
            }
        }
    }

    /** Executes a statement on each connection. When one is lost, all must be advertised again: returns false then, and closes them. */
    boolean confirm() {
        try {
            for (LockSession page : pages) {
                inspection.call(page, LONGEST_CALL, () -> {
                    AdvertisementSql.confirm(page);
                    return true;
                });
            }
            return true;
        } catch (SQLException e) {
            close();
            return false;
        }
    }

    void close() {
        pages.forEach(LockSession::abort);
        pages.clear();
    }
}
