package dev.lockstep.server.demo;

/** How a flash sale goes or went, as the API shows it. */
record FlashSaleView(
        String sku,
        String location,
        int stock,
        int orders,
        int buyers,
        boolean running,
        int answered,
        int reserved,
        int outOfStock,
        int other,
        long tookMs,
        double perSecond,
        boolean oversold) {}
