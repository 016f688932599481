package dev.lockstep.server.inventory;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockException;
import dev.lockstep.inventory.Inventory;
import dev.lockstep.inventory.Stock;
import dev.lockstep.server.http.Problem;
import java.util.List;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** How much there is. The database is asked off the event loop. */
@RestController
@RequestMapping("/api/inventory")
final class StockQuestions {
    private static final Logger LOG = LoggerFactory.getLogger(StockQuestions.class);

    private final Inventory inventory;
    private final StockBoard board;
    private final Scheduler blocking;

    StockQuestions(Inventory inventory, StockBoard board, Scheduler blocking) {
        this.inventory = inventory;
        this.board = board;
        this.blocking = blocking;
    }

    @GetMapping
    Mono<InventoryView> inventory() {
        return ask("sku", board::view, blocking);
    }

    @GetMapping("/{sku}")
    Mono<StockView> stock(@PathVariable String sku) {
        return ask("sku", () -> view(sku), blocking);
    }

    @GetMapping("/reservations/{id}")
    Mono<ReservationView> reservation(@PathVariable String id) {
        return ask("id", () -> inventory.reservation(id).map(ReservationView::of), blocking)
                .map(found -> found.orElseThrow(() -> ShippingDesk.unknown(
                        "There is no reservation '" + id + "'. Give the id of the request that created it.")));
    }

    @GetMapping("/changes/{after}")
    Mono<ChangesView> changes(@PathVariable long after, @RequestParam(name = "most", defaultValue = "1000") int most) {
        return ask("after", () -> ChangesView.of(inventory.changes(after, most), after), blocking);
    }

    private StockView view(String sku) {
        List<Stock> stocks = inventory.stock(sku);
        board.saw(stocks);
        return new StockView(sku, stocks.stream().map(StockView.StockLevel::of).toList());
    }

    /** Asks on a thread that may wait; what goes wrong is a problem, of this field if it is the question's fault. */
    static <T> Mono<T> ask(String field, Callable<T> question, Scheduler blocking) {
        return Mono.fromCallable(question)
                .subscribeOn(blocking)
                .onErrorMap(InvalidRequestException.class, e -> Problem.invalid(field, String.valueOf(e.getMessage())))
                .onErrorMap(LockException.class, StockQuestions::unanswered);
    }

    private static Problem unanswered(LockException fault) {
        LOG.warn("The database of the stock gave no answer", fault);
        return fault.retryable()
                ? Problem.of(
                        HttpStatus.SERVICE_UNAVAILABLE,
                        "store-unavailable",
                        true,
                        "The database did not answer. Ask again later.")
                : Problem.of(
                        HttpStatus.BAD_GATEWAY,
                        "store-failed",
                        false,
                        "The database answered with an error. The server's log says more.");
    }
}
