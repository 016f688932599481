package dev.lockstep.cli.serve;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where the server listens, and what clients have to show.
 *
 * @param names more names by which clients may call it
 */
public record Listening(
        String host,
        int port,
        @Nullable String token,
        @Nullable Path tokensFile,
        Optional<Tls> tls,
        List<String> names) {
    private static final int HIGHEST_PORT = 65_535;

    /**
     * What makes it https.
     *
     * @param certificate a PEM file, with the chain
     * @param key a PEM file
     */
    public record Tls(Path certificate, Path key) {
        /** Checks that both can be read. */
        public Tls {
            for (Path file : List.of(certificate, key)) {
                if (!Files.isReadable(file)) {
                    throw new InvalidRequestException("The file " + file
                            + " can't be read. Name PEM files with --tls-certificate and --tls-key.");
                }
            }
        }
    }

    /** Refuses what can't be listened on: said at once, and not after the server was put together. */
    public Listening checked() {
        if (port < 0 || port > HIGHEST_PORT) {
            throw new InvalidRequestException(
                    "--port " + port + " is no port. Give 1 to 65535, or 0 for any free one.");
        }
        InetAddress address = address();
        if (!address.isLoopbackAddress() && !hasToken()) {
            throw new InvalidRequestException(
                    "--host " + host
                            + " lets other machines in, and there is no token that they must show. Set the variable"
                            + " LOCKSTEP_TOKEN to a long secret, for example by: export LOCKSTEP_TOKEN=$(openssl rand -hex 32)");
        }
        tryOut(address);
        return this;
    }

    private InetAddress address() {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new InvalidRequestException("--host " + host
                    + " is not known. Give a name or an address of this machine, such as 127.0.0.1 or 0.0.0.0.");
        }
    }

    private void tryOut(InetAddress address) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(address, port));
        } catch (IOException e) {
            throw new LockException(ErrorCode.STORE_FAILED, unusable(e), List.of(), e);
        }
    }

    private String unusable(IOException e) {
        String said = String.valueOf(e.getMessage());
        if (said.contains("in use")) {
            return "Port " + port + " of " + host
                    + " is in use: another server may run there. End it, or choose another port, such as --port "
                    + (port == HIGHEST_PORT ? port - 1 : port + 1) + ", or --port 0 for any free one.";
        }
        return "It is not possible to listen on port " + port + " of " + host + ": " + said
                + ". Give an address of this machine, and a port that the user may use (1024 or higher).";
    }

    Map<String, Object> properties() {
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put("server.address", host);
        properties.put("server.port", port);
        if (token != null && !token.isBlank()) {
            properties.put("lockstep.server.token", token);
        }
        if (tokensFile != null) {
            properties.put("lockstep.server.tokens-file", tokensFile);
        }
        tls.ifPresent(files -> {
            properties.put("server.ssl.certificate", files.certificate().toAbsolutePath());
            properties.put("server.ssl.certificate-private-key", files.key().toAbsolutePath());
        });
        if (!names.isEmpty()) {
            properties.put("lockstep.server.hosts", String.join(",", names));
        }
        return properties;
    }

    /** The address of the page on this machine. */
    public String page(int realPort) {
        boolean isAny = address().isAnyLocalAddress();
        String name = isAny ? "127.0.0.1" : host.contains(":") ? "[" + host + "]" : host;
        return (tls.isPresent() ? "https://" : "http://") + name + ":" + realPort + "/";
    }

    boolean hasToken() {
        return tokensFile != null || (token != null && !token.isBlank());
    }

    /** Never the token. */
    @Override
    public String toString() {
        return host + ":" + port;
    }
}
