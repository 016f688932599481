package dev.lockstep.inventory.sql;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProductTest {
    @ParameterizedTest
    @CsvSource({
        "10.5.23-MariaDB-log, false",
        "5.5.5-10.5.23-MariaDB, false",
        "10.6.0-MariaDB, true",
        "5.5.5-10.11.6-MariaDB-0+deb12u1, true",
        "11.4.5-MariaDB, true",
        "8.0.33, true"
    })
    void aServerHasJsonTableByItsVersion(String version, boolean has) {
        assertThat(Product.hasJsonTable(version)).isEqualTo(has);
    }
}
