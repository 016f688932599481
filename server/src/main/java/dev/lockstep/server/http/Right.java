package dev.lockstep.server.http;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.core.authority.SimpleGrantedAuthority;

/** What a token allows. Each right includes those before it. */
public enum Right {
    /** To look: locks, events, stock, figures. */
    READ,
    /** To acquire, renew and release locks, and to change stock. */
    USE,
    /** To end the leases of others. */
    ADMIN;

    private final String wire = name().toLowerCase(Locale.ROOT);

    /** As configurations and answers write it. */
    public String wire() {
        return wire;
    }

    List<GrantedAuthority> authorities() {
        return Arrays.stream(values())
                .filter(each -> each.compareTo(this) <= 0)
                .<GrantedAuthority>map(each -> new SimpleGrantedAuthority(each.wire))
                .toList();
    }

    static Optional<Right> named(String wire) {
        return Arrays.stream(values()).filter(each -> each.wire.equals(wire)).findFirst();
    }
}
