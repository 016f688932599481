-- What is held of a stock is found by its index: for reconcile and repair. On a large table, create it CONCURRENTLY before.

CREATE INDEX IF NOT EXISTS inventory_reservation_held
    ON inventory_reservation (sku, location) INCLUDE (quantity) WHERE state = 'HELD';
