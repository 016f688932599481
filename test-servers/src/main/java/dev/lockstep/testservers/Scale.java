package dev.lockstep.testservers;

/** How much the tests do: the system property {@code lockstep.scale}. */
public final class Scale {
    private Scale() {}

    /** One of two numbers: the second in a long run. */
    public static int pick(int usual, int most) {
        return "long".equals(System.getProperty("lockstep.scale")) ? most : usual;
    }
}
