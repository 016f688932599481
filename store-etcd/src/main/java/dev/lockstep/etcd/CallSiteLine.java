package dev.lockstep.etcd;

import dev.lockstep.core.CallSite;
import java.util.Optional;

/** Call sites as one line of text. */
final class CallSiteLine {
    private CallSiteLine() {}

    static String text(Optional<CallSite> site) {
        if (site.isEmpty()) {
            return "";
        }
        StackTraceElement frame = site.get().frame();
        String file = frame.getFileName() == null ? "" : frame.getFileName();
        return OneLine.of(
                frame.getClassName() + "|" + frame.getMethodName() + "|" + file + "|" + frame.getLineNumber());
    }

    static Optional<CallSite> read(String text) {
        String[] parts = text.split("\\|", -1);
        if (parts.length != 4) {
            return Optional.empty();
        }
        String file = parts[2].isEmpty() ? null : parts[2];
        try {
            return Optional.of(
                    new CallSite(new StackTraceElement(parts[0], parts[1], file, Integer.parseInt(parts[3]))));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
