-- Which stock has lines that the feed of changes doesn't show yet, what the feed shows, and stock that is not for sale.

SET @lockstep_columns = IF(
    EXISTS(SELECT 1 FROM information_schema.columns
           WHERE table_schema = DATABASE() AND table_name = 'inventory_location' AND column_name = 'unpublished'),
    'DO 0',
    'ALTER TABLE inventory_location
        ADD COLUMN safety_qty bigint NOT NULL DEFAULT 0,
        ADD COLUMN published bigint NOT NULL DEFAULT 0,
        ADD COLUMN unpublished smallint NOT NULL DEFAULT 1,
        ADD KEY inventory_location_unpublished (unpublished)');
PREPARE lockstep_statement FROM @lockstep_columns;
EXECUTE lockstep_statement;
DEALLOCATE PREPARE lockstep_statement;

-- A row for consecutive lines of one stock's ledger; the position is that of the last of them.
CREATE TABLE IF NOT EXISTS inventory_change (
    position   bigint NOT NULL PRIMARY KEY,
    sku        varchar(64) NOT NULL,
    location   varchar(64) NOT NULL,
    first_line bigint NOT NULL,
    last_line  bigint NOT NULL,
    KEY inventory_change_stock (sku, location)
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;

-- The last position; its lock is held by the one who gives positions.
CREATE TABLE IF NOT EXISTS inventory_feed (
    id       smallint NOT NULL PRIMARY KEY,
    position bigint   NOT NULL
) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;

INSERT IGNORE INTO inventory_feed (id, position) VALUES (1, 0);
