package dev.lockstep.server.inventory;

import dev.lockstep.inventory.Command;
import dev.lockstep.inventory.Command.Adjust;
import dev.lockstep.inventory.Command.Cancel;
import dev.lockstep.inventory.Command.Receive;
import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.Command.Ship;
import dev.lockstep.inventory.Inventory;
import dev.lockstep.inventory.Order;
import dev.lockstep.inventory.Outcome;
import dev.lockstep.inventory.Outcome.Accepted;
import dev.lockstep.inventory.Outcome.Unknown;
import dev.lockstep.inventory.StockKey;
import dev.lockstep.inventory.StockLine;
import dev.lockstep.server.http.Credential;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Changes of stock. No thread waits for the inventory's decision. */
@RestController
@RequestMapping("/api/inventory")
final class InventoryController {
    private static final Logger AUDIT = LoggerFactory.getLogger("dev.lockstep.server.audit");

    private final Inventory inventory;
    private final ShippingDesk shipping;

    InventoryController(Inventory inventory, ShippingDesk shipping) {
        this.inventory = inventory;
        this.shipping = shipping;
    }

    @PostMapping("/{sku}/{location}/receipts")
    @ResponseStatus(HttpStatus.CREATED)
    Mono<AcceptedOutcome> receive(
            @PathVariable String sku,
            @PathVariable String location,
            @RequestBody ReceiptRequest body,
            @RequestHeader(name = HttpHeaders.ACCEPT_LANGUAGE, required = false) @Nullable String languages) {
        StockLine line = StockLine.line(sku, location, Fields.quantity(body.quantity()));
        return done(new Receive(List.of(line), Fields.requestId(body.requestId())), languages);
    }

    @PostMapping("/{sku}/{location}/reservations")
    @ResponseStatus(HttpStatus.CREATED)
    Mono<AcceptedOutcome> reserve(
            @PathVariable String sku,
            @PathVariable String location,
            @RequestBody ReservationRequest body,
            @RequestHeader(name = HttpHeaders.ACCEPT_LANGUAGE, required = false) @Nullable String languages) {
        Order order = Order.of(StockLine.line(sku, location, Fields.quantity(body.quantity())));
        return done(new Reserve(Fields.held(order, body.heldForMs()), Fields.requestId(body.requestId())), languages);
    }

    @PostMapping("/reservations")
    @ResponseStatus(HttpStatus.CREATED)
    Mono<AcceptedOutcome> reserveOrder(
            @RequestBody OrderRequest body,
            @RequestHeader(name = HttpHeaders.ACCEPT_LANGUAGE, required = false) @Nullable String languages) {
        Order order = Order.of(Fields.lines(body.lines()));
        return done(new Reserve(Fields.held(order, body.heldForMs()), Fields.requestId(body.requestId())), languages);
    }

    @PostMapping("/{sku}/{location}/shipments")
    @ResponseStatus(HttpStatus.CREATED)
    Mono<AcceptedOutcome> ship(
            @PathVariable String sku,
            @PathVariable String location,
            @RequestBody ShipmentRequest body,
            @RequestHeader(name = HttpHeaders.ACCEPT_LANGUAGE, required = false) @Nullable String languages) {
        Ship ship = new Ship(Fields.reservationId(body.reservationId()), Fields.requestId(body.requestId()));
        return shipping.check(ship.reservationId(), new StockKey(sku, location)).then(done(ship, languages));
    }

    @PostMapping("/{sku}/{location}/adjustments")
    @ResponseStatus(HttpStatus.CREATED)
    Mono<AcceptedOutcome> adjust(
            @PathVariable String sku,
            @PathVariable String location,
            @RequestBody AdjustmentRequest body,
            ServerWebExchange exchange,
            @RequestHeader(name = HttpHeaders.ACCEPT_LANGUAGE, required = false) @Nullable String languages) {
        StockLine change = StockLine.line(sku, location, Fields.correction(body.quantity()));
        Adjust adjust = new Adjust(change, Fields.reason(body.reason()), Fields.requestId(body.requestId()));
        String by = Credential.of(exchange).name();
        return done(inventory.submit(adjust).thenApply(outcome -> logged(adjust, outcome, by)), languages);
    }

    /** What was refused has changed nothing, and its texts may be anything. */
    private static Outcome logged(Adjust adjust, Outcome outcome, String by) {
        if (outcome instanceof Accepted || outcome instanceof Unknown) {
            AUDIT.warn(
                    "{} corrected {} by {} with the request {} ({}): {}",
                    by,
                    adjust.change().key(),
                    adjust.change().quantity(),
                    adjust.requestId(),
                    outcome.getClass().getSimpleName(),
                    adjust.reason());
        }
        return outcome;
    }

    @DeleteMapping("/reservations/{id}")
    Mono<AcceptedOutcome> cancel(
            @PathVariable String id,
            @RequestHeader(name = HttpHeaders.ACCEPT_LANGUAGE, required = false) @Nullable String languages) {
        return done(new Cancel(id, Fields.cancellationOf(id)), languages);
    }

    private Mono<AcceptedOutcome> done(Command command, @Nullable String languages) {
        return Mono.defer(() -> done(inventory.submit(command), languages));
    }

    private static Mono<AcceptedOutcome> done(CompletableFuture<Outcome> answer, @Nullable String languages) {
        Locale locale = Languages.best(languages);
        // a client that goes leaves the command on its way: it may be done already
        return Mono.fromFuture(answer, true).map(outcome -> {
            if (outcome instanceof Accepted accepted) {
                return AcceptedOutcome.of(accepted);
            }
            throw OutcomeProblem.of(outcome, locale);
        });
    }
}
