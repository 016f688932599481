package dev.lockstep.server.events;

import dev.lockstep.core.LockEvent;
import dev.lockstep.core.Locks;
import dev.lockstep.inventory.Inventory;
import dev.lockstep.inventory.InventoryEvent;
import dev.lockstep.inventory.InventoryEvent.Answered;
import dev.lockstep.inventory.StockKey;
import dev.lockstep.server.locks.Node;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/**
 * Carries the events of locks and stock into the log and the meter. The meter counts all of them; the log gets this many of each type a
 * second, and this many of each stock, and the rest as a sum at the second's end.
 */
@Component
final class EventFeed implements DisposableBean {
    private static final Logger LOG = LoggerFactory.getLogger(EventFeed.class);
    private static final int OF_A_TYPE = 100;
    private static final int OF_A_STOCK = 10;
    private static final StockKey OTHERS = new StockKey("", "");

    private final LockNews lockNews;
    private final EventLog log;
    private final ContentionMeter meter;
    private final Locks locks;
    private final List<Locks.Subscription> subscriptions;
    private final Sampling<EventType> types = new Sampling<>(OF_A_TYPE, EventType.GAP);
    private final Sampling<StockKey> stocks = new Sampling<>(OF_A_STOCK, OTHERS);
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "lockstep-server-second");
        thread.setDaemon(true);
        return thread;
    });

    EventFeed(EventLog log, ContentionMeter meter, Locks locks, Inventory inventory, Node node) {
        lockNews = new LockNews(node.name());
        this.log = log;
        this.meter = meter;
        this.locks = locks;
        subscriptions = List.of(locks.subscribe(this::on), inventory.subscribe(this::on));
        var unused = clock.scheduleAtFixedRate(this::second, 1, 1, TimeUnit.SECONDS);
    }

    private void on(LockEvent event) {
        meter.on(event);
        if (types.lets(LockNews.type(event))) {
            log.add(lockNews.of(event));
        }
    }

    private void on(InventoryEvent event) {
        if (event instanceof Answered answered && !lets(answered)) {
            return;
        }
        StockNews.of(event).filter(news -> types.lets(news.type())).ifPresent(log::add);
    }

    private boolean lets(Answered answered) {
        return stocks.lets(StockNews.key(answered).orElse(OTHERS));
    }

    /** What it throws would end it for good, and nothing more would be sent. */
    private void second() {
        try {
            sumUp();
        } catch (RuntimeException e) {
            LOG.warn("A second of events could not be summed up", e);
        }
    }

    private void sumUp() {
        Instant now = Instant.now();
        meter.sample(locks.figures(), now);
        stocks.next((key, count) -> sum(key, count, now)).forEach(log::add);
        types.next((type, count) -> sum(type, count, now)).forEach(log::add);
    }

    private static News sum(StockKey key, long count, Instant now) {
        if (key.equals(OTHERS)) {
            return sum(EventType.ANSWERED, count, now);
        }
        return News.of(EventType.ANSWERED, now, count + " more answers about " + key + " in the last second")
                .about(key)
                .counting(count);
    }

    private static News sum(EventType type, long count, Instant now) {
        return News.of(type, now, count + " more in the last second: " + type.wire())
                .counting(count);
    }

    @Override
    public void destroy() {
        clock.shutdownNow();
        subscriptions.forEach(Locks.Subscription::close);
    }
}
