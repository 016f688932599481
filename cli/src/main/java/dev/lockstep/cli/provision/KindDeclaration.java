package dev.lockstep.cli.provision;

import dev.lockstep.core.InvalidRequestException;
import java.util.Optional;

/** One {@code --kind}: {@code name:rank}, {@code name:rank:parent}, each with {@code :leaf} at the end if nothing is locked below. */
record KindDeclaration(String name, int rank, Optional<String> parent, boolean leaf) {
    private static final String LEAF = "leaf";

    static KindDeclaration parse(String text) {
        String[] parts = text.strip().split(":", -1);
        boolean leaf = parts.length == 4 && parts[3].equals(LEAF);
        if (parts.length < 2 || parts.length > (leaf ? 4 : 3) || !parts[1].matches("[0-9]{1,9}")) {
            throw new InvalidRequestException(
                    "The kind '" + text + "' can't be read. Write name:rank, name:rank:parent or"
                            + " name:rank:parent:leaf, such as user:0, account:1:user and resource:2:account:leaf; a leaf without"
                            + " a parent is name:rank::leaf.");
        }
        return new KindDeclaration(parts[0], Integer.parseInt(parts[1]), parent(parts), leaf);
    }

    private static Optional<String> parent(String[] parts) {
        return parts.length < 3 || parts[2].isEmpty() ? Optional.empty() : Optional.of(parts[2]);
    }
}
