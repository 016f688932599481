package dev.lockstep.cli;

import dev.lockstep.cli.terminal.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What {@code exec --json} reports. */
final class ExecEvent {
    private ExecEvent() {}

    static String line(String event, String key, String text, Map<String, @Nullable Object> facts) {
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        all.put("event", event);
        all.put("key", key);
        all.putAll(new TreeMap<>(facts));
        if (!text.isEmpty()) {
            all.put("detail", text);
        }
        return Json.line(all);
    }
}
