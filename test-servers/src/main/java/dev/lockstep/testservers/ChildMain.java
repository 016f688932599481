package dev.lockstep.testservers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** The other side of {@link ChildJvm}: runs a main method in a JVM that ends with its parent, and after its lifetime. */
final class ChildMain {
    private static final int ORPHANED = 2;
    private static final int TOO_OLD = 3;

    private ChildMain() {}

    /** The parent's process id, the class, and the arguments of its main method. */
    public static void main(String[] args) throws ReflectiveOperationException {
        watch("parent", () -> awaitEnd(Long.parseLong(args[0])), ORPHANED);
        watch("lifetime", () -> Thread.sleep(ChildJvm.LIFETIME.toMillis()), TOO_OLD);
        Method main = Class.forName(args[1]).getDeclaredMethod("main", String[].class);
        main.setAccessible(true);
        try {
            main.invoke(null, (Object) Arrays.copyOfRange(args, 2, args.length));
        } catch (InvocationTargetException e) {
            e.printStackTrace();
            System.exit(1); // threads that the class has started must not keep the parent waiting
        }
    }

    private interface Wait {
        void run() throws InterruptedException;
    }

    private static void watch(String name, Wait end, int exitCode) {
        Thread thread = new Thread(
                () -> {
                    try {
                        end.run();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    Runtime.getRuntime().halt(exitCode);
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }

    private static void awaitEnd(long parent) {
        Optional<ProcessHandle> handle = ProcessHandle.of(parent);
        handle.ifPresent(alive -> alive.onExit().join());
    }

    static void obey(ChildJvm.Orders orders) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            System.out.println(answer(orders, line.split(" ")));
        }
    }

    private static String answer(ChildJvm.Orders orders, String[] words) {
        try {
            return orders.answer(words);
        } catch (Exception e) {
            e.printStackTrace();
            return e.toString().replace('\n', ' ');
        }
    }
}
