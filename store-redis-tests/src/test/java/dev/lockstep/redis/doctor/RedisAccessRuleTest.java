package dev.lockstep.redis.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.doctor.Finding;
import dev.lockstep.core.doctor.Finding.Severity;
import dev.lockstep.redis.connection.Namespace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How refusals are judged, and that the doctor tries what the store does. */
class RedisAccessRuleTest {
    private static final AclRule RULE = new AclRule("app", new Namespace("orders"));
    private static final Pattern COMMAND = Pattern.compile("redis\\.p?call\\('([A-Z]+)'|\\btry\\('([A-Z]+)'");

    private static Finding only(Map<String, String> refusals) {
        List<Finding> findings = RedisAccessRule.judge(refusals, RULE);
        assertThat(findings).hasSize(1);
        return findings.get(0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "The user executing the script can't run this command or subcommand",
                "NOPERM this user has no permissions to run the 'hset' command or its subcommand",
                "NOPERM User app has no permissions to run the 'hset' command",
                "ACL failure in script: User app has no permissions to run the 'hset' command"
            })
    void aCommandIsMissingInTheWordsOfAllVersions(String said) {
        assertThat(only(Map.of("HSET", said)).toString()).startsWith("ERROR The user may not run HSET,");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "The user executing the script can't access at least one of the keys mentioned in the command arguments",
                "NOPERM this user has no permissions to access one of the keys used as arguments",
                "NOPERM No permissions to access a key",
                "ACL failure in script: No permissions to access the 'lockstep:{orders}' key"
            })
    void aKeyIsMissingInTheWordsOfAllVersions(String said) {
        assertThat(only(Map.of("HSET", said)).toString()).startsWith("ERROR The user may not use the keys");
    }

    @Test
    void aMissingChannelIsAWarning() {
        Finding finding = only(Map.of("PUBLISH", "NOPERM No permissions to access a channel"));

        assertThat(finding.severity()).isEqualTo(Severity.WARNING);
        assertThat(finding.whatToDo()).isEqualTo("ACL SETUSER app +publish &lockstep:{orders}*");
    }

    @Test
    void oneReasonIsOneFinding() {
        String said = "OOM command not allowed when used memory > 'maxmemory'.";

        assertThat(only(Map.of("HSET", said, "SADD", said)).whatToDo()).contains("Raise maxmemory");
        assertThat(only(Map.of("HSET", "ERR unknown command")).whatToDo()).contains("renamed");
    }

    @Test
    void whatTheServersPartSaysIsNotSaidAgain() {
        assertThat(RedisAccessRule.judge(Map.of("HSET", "READONLY You can't write against a read only replica."), RULE))
                .isEmpty();
    }

    @Test
    void everyCommandOfTheStoresScriptsIsTriedAndAllowed() throws IOException {
        Set<String> used = new TreeSet<>();
        try (Stream<Path> files = Files.list(Path.of("../store-redis/src/main/resources/dev/lockstep/redis"))) {
            for (Path each : files.filter(Files::isRegularFile).toList()) {
                used.addAll(commands(Files.readString(each)));
            }
        }

        assertThat(commands(RedisAccessCheck.script())).containsAll(used);
        assertThat(AclRule.COMMANDS)
                .containsAll(commands(RedisAccessCheck.script()).stream()
                        .map(command -> command.toLowerCase(Locale.ROOT))
                        .toList());
    }

    private static Set<String> commands(String script) {
        Set<String> commands = new TreeSet<>();
        COMMAND.matcher(script)
                .results()
                .forEach(match -> commands.add(match.group(1) == null ? match.group(2) : match.group(1)));
        return commands;
    }
}
