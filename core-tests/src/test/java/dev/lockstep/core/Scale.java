package dev.lockstep.core;

/** How much the tests do: the system property {@code lockstep.scale}. */
public final class Scale {
    private Scale() {}

    /** One of three numbers. */
    public static int pick(int quick, int usual, int most) {
        return switch (System.getProperty("lockstep.scale", "default")) {
            case "quick" -> quick;
            case "long" -> most;
            default -> usual;
        };
    }
}
