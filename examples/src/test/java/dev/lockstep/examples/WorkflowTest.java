package dev.lockstep.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The files for other machines, which can't be run here, are at least well-formed and agree with each other. */
class WorkflowTest {
    private static final String DSN = "root:root@tcp(127.0.0.1:3306)/mgl_test?parseTime=true";

    private static Map<String, Object> parsed(String file) {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        return new Yaml(new SafeConstructor(options)).load(Repository.read(Repository.ROOT.resolve(file)));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> at(Map<String, Object> map, String... path) {
        Map<String, Object> here = map;
        for (String step : path) {
            here = (Map<String, Object>) Objects.requireNonNull(here.get(step), () -> step + " of " + map);
        }
        return here;
    }

    @SuppressWarnings("unchecked")
    private static List<Object> list(Map<String, Object> map, String key) {
        return (List<Object>) Objects.requireNonNull(map.get(key), key);
    }

    @Test
    @DisplayName("docker-compose.yml has MySQL on 127.0.0.1:3306 with the database mgl_test, and Redis")
    void compose() {
        Map<String, Object> compose = parsed("docker-compose.yml");
        assertThat(at(compose, "services")).containsOnlyKeys("mysql", "redis", "postgres", "server", "lockstep");

        Map<String, Object> mysql = at(compose, "services", "mysql");
        assertThat(mysql.get("image")).isEqualTo("mysql:8.0");
        assertThat(at(mysql, "environment"))
                .containsEntry("MYSQL_DATABASE", "mgl_test")
                .containsEntry("MYSQL_ROOT_PASSWORD", "root");
        assertThat(list(mysql, "ports")).containsExactly("127.0.0.1:3306:3306");
        assertThat(at(mysql, "healthcheck").get("test")).asString().contains("mysqladmin", "ping");

        Map<String, Object> redis = at(compose, "services", "redis");
        assertThat(redis.get("image")).asString().startsWith("redis:");
        assertThat(list(redis, "ports")).containsExactly("127.0.0.1:6379:6379");
    }

    @Test
    @DisplayName("docker-compose.yml has PostgreSQL on 127.0.0.1:5432, ready when it answers by TCP")
    void composedPostgres() {
        Map<String, Object> postgres = at(parsed("docker-compose.yml"), "services", "postgres");
        assertThat(postgres.get("image")).asString().startsWith("postgres:");
        assertThat(list(postgres, "ports")).containsExactly("127.0.0.1:5432:5432");
        assertThat(at(postgres, "environment")).containsEntry("POSTGRES_DB", "mgl_test");
        assertThat(list(at(postgres, "healthcheck"), "test")).contains("pg_isready", "127.0.0.1", "mgl_test");
    }

    @Test
    @DisplayName("docker-compose.yml has the command as a tool that waits for all servers and verifies one of them")
    void composedCommand() {
        Map<String, Object> services = at(parsed("docker-compose.yml"), "services");
        Map<String, Object> command = at(services, "lockstep");
        assertThat(command).containsEntry("build", ".");
        assertThat(list(command, "profiles")).containsExactly("tools"); // docker compose up leaves it out
        assertThat(list(command, "command")).containsExactly("verify");

        Map<String, Object> awaited = at(command, "depends_on");
        assertThat(awaited).containsOnlyKeys("mysql", "redis", "postgres");
        assertThat(awaited.values()).containsOnly(Map.of("condition", "service_healthy"));
        assertThat(awaited.keySet())
                .allSatisfy(server -> assertThat(at(services, server)).containsKey("healthcheck"));

        Map<String, Object> postgres = at(services, "postgres", "environment");
        assertThat(at(command, "environment").get("LOCKSTEP_STORE"))
                .isEqualTo("jdbc:postgresql://postgres:5432/" + postgres.get("POSTGRES_DB") + "?user=postgres&password="
                        + postgres.get("POSTGRES_PASSWORD"));
    }

    @Test
    @DisplayName("docker-compose.yml has the server on 127.0.0.1:7070, on PostgreSQL, with a token from outside")
    void composedServer() {
        Map<String, Object> server = at(parsed("docker-compose.yml"), "services", "server");
        assertThat(list(server, "profiles")).containsExactly("server"); // docker compose up leaves it out
        assertThat(list(server, "command"))
                .startsWith("serve", "--host", "0.0.0.0")
                .contains("--kind");
        assertThat(list(server, "ports")).containsExactly("127.0.0.1:7070:7070");
        assertThat(server).containsEntry("stop_grace_period", "30s");
        assertThat(at(server, "environment"))
                .containsEntry("LOCKSTEP_TOKEN", "${LOCKSTEP_TOKEN:-}") // without one the server says what to do
                .containsKey("LOCKSTEP_STORE");
        assertThat(at(server, "depends_on")).containsOnlyKeys("postgres");
    }

    @Test
    @DisplayName("the workflow has a MySQL 8.0 service with a health check, MYSQL_DSN, and the README's test command")
    void workflow() {
        Map<String, Object> job = at(parsed(".github/workflows/test.yml"), "jobs", "check");
        Map<String, Object> mysql = at(job, "services", "mysql");
        assertThat(mysql.get("image")).isEqualTo("mysql:8.0");
        assertThat(mysql.get("options")).asString().contains("--health-cmd", "mysqladmin ping", "--health-retries");
        assertThat(list(mysql, "ports")).containsExactly("3306:3306");
        assertThat(at(mysql, "env")).containsEntry("MYSQL_DATABASE", "mgl_test");
        assertThat(at(job, "env")).containsEntry("MYSQL_DSN", DSN);
        assertThat(list(job, "steps")).contains(Map.of("run", "./check"));
        assertThat(Repository.read(Repository.ROOT.resolve("README.md"))).contains("./check");
        assertThat(Files.isExecutable(Repository.ROOT.resolve("check"))).isTrue();
    }

    @Test
    @DisplayName("the workflow installs what MySQL needs before it runs the check as a normal user")
    void workflowInstalls() {
        Map<String, Object> job = at(parsed(".github/workflows/test.yml"), "jobs", "check");
        List<String> commands = list(job, "steps").stream()
                .map(step -> String.valueOf(((Map<?, ?>) step).get("run")))
                .toList();
        int install = indexOf(commands, "sudo apt-get install -y libaio1");
        assertThat(install).isNotNegative().isLessThan(commands.indexOf("./check"));
        assertThat(job).doesNotContainKey("container"); // where the steps would run as root
    }

    private static int indexOf(List<String> commands, String part) {
        return IntStream.range(0, commands.size())
                .filter(i -> commands.get(i).contains(part))
                .findFirst()
                .orElse(-1);
    }

    @Test
    @DisplayName("both say the same of MySQL")
    void agree() {
        Map<String, Object> composed = at(parsed("docker-compose.yml"), "services", "mysql");
        Map<String, Object> service = at(parsed(".github/workflows/test.yml"), "jobs", "check", "services", "mysql");
        assertThat(at(service, "env")).isEqualTo(at(composed, "environment"));
    }
}
