/** The check of the lock order while compiling: a plugin of the compiler. */
module dev.lockstep.ordercheck {
    requires static org.jspecify;
    requires jdk.compiler;

    provides com.sun.source.util.Plugin with
            dev.lockstep.ordercheck.LockOrderPlugin;
}
