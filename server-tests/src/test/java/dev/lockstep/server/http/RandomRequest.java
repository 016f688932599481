package dev.lockstep.server.http;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import tools.jackson.databind.json.JsonMapper;

/**
 * A request that the document allows, or one that is a little or entirely wrong.
 *
 * @param right Whether the document allows it.
 */
record RandomRequest(Operation operation, String method, String path, String type, String body, boolean right) {
    private static final JsonMapper JSON = new JsonMapper();
    private static final List<String> TYPES =
            List.of("text/plain", "application/xml", "application/jsonx", "*/*", "json");
    private static final List<String> METHODS =
            List.of("PUT", "PATCH", "DELETE", "POST", "GET", "HEAD", "OPTIONS", "TRACE");
    private static final List<Object> ODD = new ArrayList<>(List.of(
            -1,
            0,
            1.5,
            1e300,
            Long.MAX_VALUE,
            Long.MIN_VALUE,
            new java.math.BigInteger("9".repeat(400)),
            true,
            "",
            " ",
            "5",
            "\u0000",
            "\uD83D\uDE00".repeat(50),
            "a".repeat(5000),
            "../../etc/passwd",
            "'; drop table x; --",
            "\u202Eabc",
            List.of(),
            Map.of(),
            List.of(List.of(List.of())),
            Map.of("a", Map.of("b", 1)),
            List.of("user:u1", 5)));

    static {
        ODD.add(null);
        ODD.add(java.util.Collections.nCopies(10_000, "user:u1"));
    }

    /** What requests may name. */
    record Ids(KnownIds leases, KnownIds reservations) {}

    static RandomRequest of(Operation operation, ApiSchema schema, Ids ids, Random random) {
        String path = filled(operation.path(), ids, random);
        Object value = operation
                .body(schema)
                .map(each -> right("body", each, schema, ids, random))
                .orElse(null);
        if (random.nextInt(3) == 0) {
            return new RandomRequest(operation, operation.method(), path, "application/json", text(value), true);
        }
        return wrong(operation, path, value, random);
    }

    private static RandomRequest wrong(Operation operation, String path, Object value, Random random) {
        String method = random.nextInt(10) == 0 ? one(METHODS, random) : operation.method();
        String type = random.nextInt(12) == 0 ? one(TYPES, random) : "application/json";
        String where = random.nextInt(4) == 0 ? oddPath(path, random) : path;
        String body = value instanceof Map<?, ?> object ? oddBody(new LinkedHashMap<>(object), random) : text(value);
        return new RandomRequest(operation, method, where, type, body, false);
    }

    private static String oddBody(Map<Object, Object> object, Random random) {
        String name = object.isEmpty() ? "x" : String.valueOf(one(List.copyOf(object.keySet()), random));
        switch (random.nextInt(9)) {
            case 0 -> object.remove(name);
            case 1 -> object.put(name + "x", 1);
            case 2, 3, 4 -> object.put(name, one(ODD, random));
            case 5 -> {
                String text = text(object);
                return text.substring(0, random.nextInt(text.length()));
            }
            case 6 -> {
                return "{\"" + name + "\":" + "[".repeat(3000);
            }
            case 7 -> {
                return text(object).replaceFirst("\\{", "{\"" + name + "\":1,");
            }
            default -> {
                return text(one(ODD, random));
            }
        }
        return text(object);
    }

    private static String oddPath(String path, Random random) {
        return switch (random.nextInt(7)) {
            case 0 -> path + "/";
            case 1 -> path + "/..%2f..%2fetc";
            case 2 -> path.replaceFirst("/api", "//api");
            case 3 -> path + "%00";
            case 4 -> path + ";a=b";
            case 5 -> path + "/" + "x".repeat(random.nextInt(3000));
            default ->
                path + "?limit=" + encoded(String.valueOf(one(ODD.subList(0, 12), random))) + "&key="
                        + encoded("user:u1/%/") + "&types=" + encoded("acquired,nothing");
        };
    }

    private static String filled(String path, Ids ids, Random random) {
        return path.replace("{leaseId}", encoded(ids.leases().one(random)))
                .replace("{leaseName}", encoded(nameOf(ids.leases().one(random))))
                .replace("{id}", encoded(ids.reservations().one(random)))
                .replace("{after}", "0")
                .replace("{sku}", "SKU-" + random.nextInt(2))
                .replace("{location}", random.nextInt(4) > 0 ? "TOKYO" : "SEOUL");
    }

    /** An id without its secret. */
    private static String nameOf(String id) {
        return id.replaceFirst("\\.[^.]{22}$", "");
    }

    private static Object right(String name, Map<?, ?> schema, ApiSchema all, Ids ids, Random random) {
        Map<?, ?> known = all.resolved(schema);
        if (known.get("properties") instanceof Map<?, ?> properties) {
            Map<Object, Object> object = new LinkedHashMap<>();
            properties.forEach((each, about) ->
                    object.put(each, right(String.valueOf(each), (Map<?, ?>) about, all, ids, random)));
            return object;
        }
        return switch (name) {
            case "keys" ->
                random.ints(1 + random.nextInt(3), 0, 9)
                        .mapToObj(i -> "user:u" + i % 3 + "/account:a" + i / 3)
                        .distinct()
                        .toList();
            case "lines" -> List.of(right("line", (Map<?, ?>) known.get("items"), all, ids, random));
            case "mode" -> random.nextBoolean() ? "exclusive" : "shared";
            case "waitMs" -> random.nextInt(50);
            case "leaseMs", "extendByMs" -> 100 + random.nextInt(4000);
            case "heldForMs" -> 1000 + random.nextInt(1_000_000);
            case "sku" -> "SKU-" + random.nextInt(2);
            case "location" -> "TOKYO";
            case "reservationId" -> ids.reservations().one(random);
            case "requestId" -> "r" + random.nextInt(1_000_000_000);
            case "reason" -> "random reason";
            case "owner" -> "random \u65E5\u672C " + random.nextInt(9);
            default -> 1 + random.nextInt(20);
        };
    }

    private static <T> T one(List<T> choices, Random random) {
        return choices.get(random.nextInt(choices.size()));
    }

    private static String text(Object value) {
        return JSON.writeValueAsString(value);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @Override
    public String toString() {
        String shown = method + " " + path + " (" + type + ") " + body;
        return shown.length() < 700 ? shown : shown.substring(0, 700) + "… " + shown.length();
    }
}
