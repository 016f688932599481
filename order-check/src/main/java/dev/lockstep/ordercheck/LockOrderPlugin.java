package dev.lockstep.ordercheck;

import com.sun.source.util.JavacTask;
import com.sun.source.util.Plugin;

/**
 * The plugin of the compiler. It starts by itself where it is on the annotation processor path; options are given with
 * {@code -Xplugin:Lockstep}.
 */
public final class LockOrderPlugin implements Plugin {
    /** Created by the compiler. */
    public LockOrderPlugin() {}

    @Override
    public String getName() {
        return "Lockstep";
    }

    @Override
    public boolean autoStart() {
        return true;
    }

    @Override
    public void init(JavacTask task, String... arguments) {
        CheckOptions options = CheckOptions.parse(arguments);
        if (options.level() != CheckOptions.Level.OFF) {
            task.addTaskListener(new CompileListener(task, options));
        }
    }
}
