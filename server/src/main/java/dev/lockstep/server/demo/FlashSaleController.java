package dev.lockstep.server.demo;

import dev.lockstep.server.http.Problem;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Flash sales over HTTP. A server without the demo says so. */
@RestController
@RequestMapping("/api/demo/flash-sale")
final class FlashSaleController {
    private final ObjectProvider<FlashSales> sales;

    FlashSaleController(ObjectProvider<FlashSales> sales) {
        this.sales = sales;
    }

    @PostMapping
    @ResponseStatus(HttpStatus.ACCEPTED)
    FlashSaleView begin(@RequestBody FlashSaleRequest request) {
        return sales().begin(request);
    }

    @GetMapping
    FlashSaleView last() {
        return sales().last();
    }

    private FlashSales sales() {
        FlashSales found = sales.getIfAvailable();
        if (found == null) {
            throw Problem.of(
                    HttpStatus.NOT_FOUND,
                    "demo-only",
                    false,
                    "This server runs without the demo. Start one with --demo to try a flash sale.");
        }
        return found;
    }
}
