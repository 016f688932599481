package dev.lockstep.etcd;

import java.nio.charset.StandardCharsets;

/** Sets up users of etcd as the documentation says. */
final class Users {
    private Users() {}

    /** Creates a root, and the user 'locks' with the password 'secret' who may lock in a namespace. */
    static void enable(String address, String namespace) {
        EtcdNamespace locks = new EtcdNamespace(namespace);
        Tampering.send(address, "/v3/auth/user/add", "{\"name\": \"root\", \"password\": \"root\"}");
        Tampering.send(address, "/v3/auth/role/add", "{\"name\": \"root\"}");
        Tampering.send(address, "/v3/auth/user/grant", "{\"user\": \"root\", \"role\": \"root\"}");
        Tampering.send(address, "/v3/auth/role/add", "{\"name\": \"locks\"}");
        Tampering.send(
                address,
                "/v3/auth/role/grant",
                "{\"name\": \"locks\", \"perm\": {\"permType\": \"READWRITE\", \"key\": \"%s\", \"range_end\": \"%s\"}}"
                        .formatted(
                                Tampering.base64(locks.prefix().getBytes(StandardCharsets.UTF_8)),
                                Tampering.base64(locks.end().getBytes(StandardCharsets.UTF_8))));
        Tampering.send(address, "/v3/auth/user/add", "{\"name\": \"locks\", \"password\": \"secret\"}");
        Tampering.send(address, "/v3/auth/user/grant", "{\"user\": \"locks\", \"role\": \"locks\"}");
        Tampering.send(address, "/v3/auth/enable", "{}");
    }
}
