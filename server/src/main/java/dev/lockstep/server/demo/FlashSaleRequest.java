package dev.lockstep.server.demo;

import dev.lockstep.server.http.Problem;
import org.jspecify.annotations.Nullable;

/** How much is sold to how many. What is left out has a default. */
record FlashSaleRequest(
        @Nullable Integer stock,
        @Nullable Integer buyers,
        @Nullable Integer orders) {
    /** The same without gaps, if the server takes it on. */
    FlashSaleRequest checked() {
        return new FlashSaleRequest(
                checked("stock", stock, 500, 100_000),
                checked("buyers", buyers, 100, 500),
                checked("orders", orders, 2_000, 50_000));
    }

    private static int checked(String field, @Nullable Integer given, int usual, int most) {
        int value = given == null ? usual : given;
        if (value < 1 || value > most) {
            throw Problem.invalid(field, field + " is " + value + ". Give 1 to " + most + ".");
        }
        return value;
    }
}
