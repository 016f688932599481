package dev.lockstep.benchmarks.server;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;

/** The visitors of the measured server. */
final class HttpVisits {
    private static final int KEYS = 100_000;
    private static final String RECEIPTS = "/api/inventory/HOT/TOKYO/receipts";
    private static final String RESERVATIONS = "/api/inventory/HOT/TOKYO/reservations";

    private HttpVisits() {}

    /** Asks for the constant. */
    static HttpVisitor constant() {
        byte[] request = request("GET", ConstantRoute.PATH, "");
        return previous -> {
            previous.require(200);
            return request;
        };
    }

    /** Takes a random lock and releases it. */
    static HttpVisitor locking() {
        return new HttpVisitor() {
            @Override
            public byte[] next(HttpAnswer previous) {
                if (!mayEndAfter(previous)) {
                    return request("DELETE", previous.header("location"), "");
                }
                previous.require(204);
                int key = ThreadLocalRandom.current().nextInt(KEYS);
                return request("POST", "/api/locks", "{\"keys\":[\"item:i" + key + "\"]}");
            }

            @Override
            public boolean mayEndAfter(HttpAnswer last) {
                return last.status() != 201;
            }
        };
    }

    /** Reserves a piece of the one SKU, each time with a new request id. */
    static HttpVisitor reserving() {
        return previous -> {
            previous.require(201);
            return request("POST", RESERVATIONS, pieces(1));
        };
    }

    /** Receives as many pieces as are allowed at a time, so that they don't run out. */
    static byte[] fillShelf() {
        return request("POST", RECEIPTS, pieces(1_000_000_000));
    }

    private static String pieces(int count) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        String id = Long.toHexString(random.nextLong()) + Long.toHexString(random.nextLong());
        return "{\"quantity\":" + count + ",\"requestId\":\"" + id + "\"}";
    }

    private static byte[] request(String method, String path, String body) {
        String about =
                body.isEmpty() ? "" : "Content-Type: application/json\r\nContent-Length: " + body.length() + "\r\n";
        return (method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n" + about + "\r\n" + body)
                .getBytes(StandardCharsets.ISO_8859_1);
    }
}
