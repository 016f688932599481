package dev.lockstep.projectlock;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** Remembers what project locks write to the log, and keeps it off the console. */
final class LogProbe implements AutoCloseable {
    private final Logger logger = (Logger) LoggerFactory.getLogger(ProjectLock.class);
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

    LogProbe() {
        appender.setContext(logger.getLoggerContext());
        appender.list = new CopyOnWriteArrayList<>();
        appender.start();
        logger.addAppender(appender);
        logger.setAdditive(false);
        logger.setLevel(Level.INFO);
    }

    /** What was written so far: the level, a blank, the text. */
    List<String> lines() {
        return appender.list.stream()
                .map(event -> event.getLevel() + " " + event.getFormattedMessage())
                .toList();
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
        logger.setAdditive(true);
        logger.setLevel(null);
        appender.stop();
    }
}
