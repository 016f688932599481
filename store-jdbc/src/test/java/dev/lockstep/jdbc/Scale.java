package dev.lockstep.jdbc;

/** How much the tests do: the system property {@code lockstep.scale}. */
final class Scale {
    private Scale() {}

    /** One of two numbers. */
    static int pick(int usual, int most) {
        return "long".equals(System.getProperty("lockstep.scale")) ? most : usual;
    }
}
