package dev.lockstep.inventory;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** Reads along what an inventory writes to the log and tells its listeners. */
public final class AlertProbe implements InventoryListener, AutoCloseable {
    private static final Logger LOG = (Logger) LoggerFactory.getLogger(Inventory.class);

    private final List<InventoryEvent> events = new CopyOnWriteArrayList<>();
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    public AlertProbe() {
        lines.list = new CopyOnWriteArrayList<>();
        lines.start();
        LOG.addAppender(lines);
    }

    @Override
    public void on(InventoryEvent event) {
        events.add(event);
    }

    public List<InventoryEvent> events() {
        return events;
    }

    /** The lines about a stock or a reservation, with their level. */
    public List<String> lines(String about) {
        return lines.list.stream()
                .filter(line -> line.getFormattedMessage().contains(about))
                .map(line -> line.getLevel() + " " + line.getFormattedMessage())
                .toList();
    }

    @Override
    public void close() {
        LOG.detachAppender(lines);
    }
}
