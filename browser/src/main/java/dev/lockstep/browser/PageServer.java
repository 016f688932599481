package dev.lockstep.browser;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A web server for files, on this machine only. */
final class PageServer implements AutoCloseable {
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "json", "application/json",
            "svg", "image/svg+xml");

    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(4);
    private final PageFiles files;

    private PageServer(HttpServer server, PageFiles files) {
        this.server = server;
        this.files = files;
    }

    /** Serves the files on a port; 0 is any that is free. */
    static PageServer start(int port, PageFiles files) throws IOException {
        HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        PageServer server = new PageServer(http, files);
        http.createContext("/", server::answer);
        http.setExecutor(server.threads);
        http.start();
        return server;
    }

    /** The address of a path. Browsers give localhost what they give to https. */
    String url(String path) {
        return "http://localhost:" + server.getAddress().getPort() + path;
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            Optional<byte[]> content = files.at(path);
            if (content.isEmpty()) {
                exchange.sendResponseHeaders(404, -1);
                return;
            }
            describe(exchange.getResponseHeaders(), path);
            exchange.sendResponseHeaders(200, content.get().length == 0 ? -1 : content.get().length);
            exchange.getResponseBody().write(content.get());
        }
    }

    private static void describe(Headers headers, String path) {
        String ending = path.substring(path.lastIndexOf('.') + 1);
        headers.set("Content-Type", path.endsWith("/") ? TYPES.get("html") : TYPES.getOrDefault(ending, "text/plain"));
        headers.set("Content-Security-Policy", "default-src 'self'");
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Cache-Control", "no-store");
    }
}
