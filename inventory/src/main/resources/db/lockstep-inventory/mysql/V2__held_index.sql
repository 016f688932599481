-- What is held of a stock is found by its index: for reconcile and repair. MySQL has no CREATE INDEX IF NOT EXISTS.

SET @lockstep_index = IF(
    EXISTS(SELECT 1 FROM information_schema.statistics
           WHERE table_schema = DATABASE() AND table_name = 'inventory_reservation'
             AND index_name = 'inventory_reservation_held'),
    'DO 0',
    'CREATE INDEX inventory_reservation_held ON inventory_reservation (state, sku, location)');
PREPARE lockstep_statement FROM @lockstep_index;
EXECUTE lockstep_statement;
DEALLOCATE PREPARE lockstep_statement;
