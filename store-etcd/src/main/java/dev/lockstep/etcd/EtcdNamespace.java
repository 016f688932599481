package dev.lockstep.etcd;

import com.google.protobuf.ByteString;
import dev.lockstep.core.InvalidRequestException;
import java.util.regex.Pattern;

/**
 * A part of etcd that is kept apart from all others.
 *
 * @param name as users write it
 */
record EtcdNamespace(String name) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    EtcdNamespace {
        if (!NAME.matcher(name).matches()) {
            throw new InvalidRequestException(
                    "The namespace '" + name
                            + "' can't be part of etcd keys. Write 1 to 64 letters, digits, '.', '_' or '-', such as 'orders'.");
        }
    }

    /** What every key of the namespace begins with. */
    String prefix() {
        return "lockstep/" + name + "/";
    }

    /** The first key behind those of the namespace. */
    String end() {
        return "lockstep/" + name + "0"; // '0' follows '/'
    }

    /** Floor of the tokens, longest term, and the cluster that they are about. */
    ByteString state() {
        return key("state");
    }

    /** There while nothing is granted. */
    ByteString quiet() {
        return key("quiet");
    }

    ByteString kinds() {
        return key("kinds");
    }

    ByteString epoch(String pair) {
        return key("e/" + pair);
    }

    ByteString number(String name) {
        return key("n/" + name);
    }

    /** What all entries of holders and waiters begin with. */
    String entries() {
        return prefix() + "l/";
    }

    ByteString firstEntry() {
        return key("l/");
    }

    /** The first key behind all entries. */
    ByteString behindEntries() {
        return key("l0");
    }

    private ByteString key(String rest) {
        return ByteString.copyFromUtf8(prefix() + rest);
    }
}
