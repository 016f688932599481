package dev.lockstep.jdbc.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.doctor.Finding.Severity;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How JDBC URLs are judged. */
class UrlRuleTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "jdbc:mysql://db:3306/app?user=u&password=autoReconnect",
                "jdbc:mysql://db/app?autoReconnect=false&socketTimeout=0",
                "jdbc:mariadb://db:3306/app?useServerPrepStmts=true",
                "jdbc:postgresql://a,b/app?targetServerType=primary",
                "jdbc:postgresql://replication:5432/loadbalance"
            })
    void oneServerIsInOrder(String url) {
        assertThat(UrlRule.judge(url)).singleElement().matches(finding -> finding.severity() == Severity.OK);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jdbc:mysql://db/app?user=u&autoReconnect=true | autoReconnect=true",
                "jdbc:mysql://db/app?autoreconnectforpools=TRUE&x=y | autoReconnect=true",
                "jdbc:mysql://(host=db,port=3306,autoReconnect=true)/app | autoReconnect=true",
                "jdbc:mysql:loadbalance://a,b/app | spreads connections",
                "jdbc:mysql:replication://a,b/app | spreads connections",
                "jdbc:mariadb:replication://a,b/app | spreads connections",
                "jdbc:mariadb:load-balance-read://a,b/app | spreads connections",
                "jdbc:postgresql://a,b/app?loadBalanceHosts=true | spreads connections",
                "jdbc:postgresql://a,b/app?targetServerType=preferSecondary | standby"
            })
    void whatReplacesOrSpreadsConnectionsIsAnError(String url, String what) {
        assertThat(UrlRule.judge(url)).singleElement().satisfies(finding -> {
            assertThat(finding.severity()).isEqualTo(Severity.ERROR);
            assertThat(finding.what()).contains(what);
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:mysql://db/app?socketTimeout=30000",
                "jdbc:mariadb://db/app?a=b&socketTimeout=500",
                "jdbc:postgresql://db/app?socketTimeout=10&user=u&password=secret"
            })
    void aSocketTimeoutIsAWarningThatDoesNotRepeatTheUrl(String url) {
        assertThat(UrlRule.judge(url)).singleElement().satisfies(finding -> {
            assertThat(finding.severity()).isEqualTo(Severity.WARNING);
            assertThat(finding.toString()).contains("socketTimeout").doesNotContain("secret");
        });
    }
}
