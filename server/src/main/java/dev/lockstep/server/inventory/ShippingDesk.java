package dev.lockstep.server.inventory;

import dev.lockstep.inventory.Inventory;
import dev.lockstep.inventory.Reservation;
import dev.lockstep.inventory.StockKey;
import dev.lockstep.server.http.Problem;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** Sees that a reservation is of the stock in whose name it is to be shipped. Its lines never change, so once is enough. */
@Component
final class ShippingDesk {
    private final Inventory inventory;
    private final Scheduler blocking;

    ShippingDesk(Inventory inventory, Scheduler blocking) {
        this.inventory = inventory;
        this.blocking = blocking;
    }

    Mono<Void> check(String reservationId, StockKey stock) {
        return StockQuestions.ask("reservationId", () -> inventory.reservation(reservationId), blocking)
                .doOnNext(found -> {
                    Reservation reservation = found.orElseThrow(() -> unknown("There is no reservation '"
                            + reservationId + "'. Give the id of the request that made it."));
                    if (reservation.lines().stream()
                            .noneMatch(line -> line.key().equals(stock))) {
                        throw unknown("The reservation '" + reservationId + "' set nothing aside of " + stock
                                + ". Give a stock of it in the path.");
                    }
                })
                .then();
    }

    static Problem unknown(String detail) {
        return Problem.of(HttpStatus.NOT_FOUND, "unknown-reservation", false, detail);
    }
}
