package dev.lockstep.etcd;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** What others do to etcd, through its JSON gateway. */
final class Tampering {
    private Tampering() {}

    /** Deletes the entries of all holders and waiters of a realm. */
    static void deleteEntries(Realm realm) {
        EtcdNamespace namespace = new EtcdNamespace(realm.namespace());
        send(
                address(realm.url()),
                "/v3/kv/deleterange",
                "{\"key\": \"%s\", \"range_end\": \"%s\"}"
                        .formatted(
                                base64(namespace.firstEntry().toByteArray()),
                                base64(namespace.behindEntries().toByteArray())));
    }

    static String address(String url) {
        return url.substring("etcd://".length()).split(",")[0];
    }

    static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    static String send(String address, String path, String json) {
        try {
            HttpURLConnection connection = (HttpURLConnection)
                    URI.create("http://" + address + path).toURL().openConnection();
            connection.setDoOutput(true);
            try (var out = connection.getOutputStream()) {
                out.write(json.getBytes(StandardCharsets.UTF_8));
            }
            try (var in = connection.getInputStream()) {
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
