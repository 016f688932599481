package dev.lockstep.cli.serve;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How much the server logs: warnings, and not what the command says itself. */
final class LogSettings {
    private static final List<String> SAID_BY_THE_COMMAND = List.of(
            "org.springframework.boot.SpringApplication",
            "org.springframework.boot.diagnostics",
            "org.springframework.boot.web.server.reactive.context",
            "com.zaxxer.hikari.pool",
            "org.mariadb.jdbc",
            "io.lettuce");

    /** Lost leases and contention are what the demo is for. */
    private static final List<String> STAGED = List.of("dev.lockstep.core.Locks", "dev.lockstep.inventory.Inventory");

    private LogSettings() {}

    static Map<String, Object> of(boolean verbose, boolean demo) {
        Map<String, Object> levels = new LinkedHashMap<>();
        if (!verbose) {
            SAID_BY_THE_COMMAND.forEach(name -> levels.put("logging.level." + name, "OFF"));
            if (demo) {
                STAGED.forEach(name -> levels.put("logging.level." + name, "ERROR"));
            }
        }
        return levels;
    }
}
