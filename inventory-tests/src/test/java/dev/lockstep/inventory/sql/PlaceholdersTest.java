package dev.lockstep.inventory.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlaceholdersTest {
    @ParameterizedTest
    @CsvSource({"1, 1", "2, 2", "3, 4", "4, 4", "5, 8", "128, 128", "129, 256", "256, 256", "1000, 1024"})
    void thereAreAsManyAsTheNextPowerOfTwo(int count, int marks) {
        assertThat(Placeholders.upTo(count).split(", ")).hasSize(marks).containsOnly("?");
    }

    @Test
    void theLastValueStandsForThoseTooMany() throws SQLException {
        Map<Integer, Object> set = new TreeMap<>();
        PreparedStatement statement = (PreparedStatement) Proxy.newProxyInstance(
                PreparedStatement.class.getClassLoader(),
                new Class<?>[] {PreparedStatement.class},
                (proxy, method, values) -> set.put((Integer) values[0], values[1]));

        List<String> values = IntStream.range(0, 5).mapToObj(i -> "v" + i).toList();

        assertThat(Placeholders.fill(statement, 3, values)).isEqualTo(11);
        assertThat(set.keySet()).containsExactly(3, 4, 5, 6, 7, 8, 9, 10);
        assertThat(set.values()).containsExactly("v0", "v1", "v2", "v3", "v4", "v4", "v4", "v4");
    }
}
