-- Which stock has lines that the feed of changes doesn't show yet, what the feed shows, and stock that is not for sale.

ALTER TABLE inventory_location ADD COLUMN IF NOT EXISTS safety_qty bigint DEFAULT 0 NOT NULL;
ALTER TABLE inventory_location ADD COLUMN IF NOT EXISTS published bigint DEFAULT 0 NOT NULL;
ALTER TABLE inventory_location ADD COLUMN IF NOT EXISTS unpublished smallint DEFAULT 1 NOT NULL;

CREATE INDEX IF NOT EXISTS inventory_location_unpublished ON inventory_location (unpublished, sku, location);

-- A row for consecutive lines of one stock's ledger; the position is that of the last of them.
CREATE TABLE IF NOT EXISTS inventory_change (
    position   bigint NOT NULL PRIMARY KEY,
    sku        varchar(64) NOT NULL,
    location   varchar(64) NOT NULL,
    first_line bigint NOT NULL,
    last_line  bigint NOT NULL
);

CREATE INDEX IF NOT EXISTS inventory_change_stock ON inventory_change (sku, location);

-- The last position; its lock is held by the one who gives positions.
CREATE TABLE IF NOT EXISTS inventory_feed (
    id       smallint NOT NULL PRIMARY KEY,
    position bigint   NOT NULL
);

INSERT INTO inventory_feed (id, position) SELECT 1, 0 WHERE NOT EXISTS (SELECT 1 FROM inventory_feed);
