-- What is held of a stock is found by its index: for reconcile and repair.

CREATE INDEX IF NOT EXISTS inventory_reservation_held ON inventory_reservation (state, sku, location);
