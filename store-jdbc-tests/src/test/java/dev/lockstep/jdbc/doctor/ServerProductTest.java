package dev.lockstep.jdbc.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.doctor.Finding;
import dev.lockstep.core.doctor.Finding.Severity;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How a server's own words about its version are judged. */
class ServerProductTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "MYSQL | 8.0.33",
                "MYSQL | 8.0.1-dmr",
                "MYSQL | 8.4.6-commercial",
                "MYSQL | 9.4.0",
                "MYSQL | 8.0.36-28.1",
                "MYSQL | 8.0.mysql_aurora.3.05.2",
                "MARIADB | 11.4.5-MariaDB",
                "MARIADB | 10.6.22-MariaDB-0ubuntu0.22.04.1",
                "MARIADB | 5.5.5-10.11.6-MariaDB-log",
                "POSTGRESQL | PostgreSQL 18.0 on x86_64-pc-linux-gnu, compiled by gcc (Debian 12.2.0) 12.2.0, 64-bit",
                "POSTGRESQL | PostgreSQL 10.23 (Ubuntu 10.23-0ubuntu0.18.04.2)",
                "POSTGRESQL | PostgreSQL 17beta1 on aarch64"
            })
    void whatTheStoreIsMadeForIsInOrder(ServerProduct product, String version) {
        assertThat(product.judge(version)).extracting(Finding::severity).isEqualTo(Severity.OK);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "MYSQL | 11.4.5-MariaDB | RowLockStore.mariadb",
                "MARIADB | 8.0.33 | RowLockStore.mysql",
                "MYSQL | PostgreSQL 18.0 on x86_64 | AdvisoryLockStore.postgresql",
                "POSTGRESQL | 8.0.33 | RowLockStore.mysql",
                "MYSQL | 5.7.44-log | MySQL 8.0.1 or later",
                "MYSQL | 8.0.0-dmr | MySQL 8.0.1 or later",
                "MARIADB | 10.5.28-MariaDB | MariaDB 10.6 or later",
                "MARIADB | 5.5.5-10.3.39-MariaDB | MariaDB 10.6 or later",
                "POSTGRESQL | PostgreSQL 9.6.24 on x86_64 | PostgreSQL 10 or later",
                "MYSQL | 8.0.11-TiDB-v8.5.1 | Use MySQL itself",
                "MYSQL | 5.7.25-OceanBase-v4.2.1 | Use MySQL itself",
                "MYSQL | 8.0.30-Vitess | Use MySQL itself",
                "POSTGRESQL | CockroachDB CCL v24.1.0 (x86_64-pc-linux-gnu) | Use PostgreSQL itself",
                "POSTGRESQL | PostgreSQL 11.2-YB-2.20.1.0-b0 on x86_64 | Use PostgreSQL itself"
            })
    void anythingElseIsAnErrorWithTheWayOut(ServerProduct product, String version, String wayOut) {
        Finding finding = product.judge(version);

        assertThat(finding.severity()).isEqualTo(Severity.ERROR);
        assertThat(finding.what()).contains(version);
        assertThat(finding.whatToDo()).contains(wayOut);
    }
}
