-- Stock, reservations and the ledger of Lockstep's inventory. All times are UTC.

CREATE TABLE IF NOT EXISTS inventory_location (
    sku           varchar(64) NOT NULL,
    location      varchar(64) NOT NULL,
    physical_qty  bigint       NOT NULL,
    allocated_qty bigint       NOT NULL,
    version       bigint       NOT NULL,
    updated_at    timestamp(6) NOT NULL,
    PRIMARY KEY (sku, location),
    CONSTRAINT inventory_location_physical CHECK (physical_qty >= 0),
    CONSTRAINT inventory_location_allocated CHECK (allocated_qty >= 0 AND allocated_qty <= physical_qty)
);

-- One row for each change of a stock: its sequence is the stock's version after it.
CREATE TABLE IF NOT EXISTS inventory_transaction (
    sku              varchar(64)  NOT NULL,
    location         varchar(64)  NOT NULL,
    sequence         bigint       NOT NULL,
    request_id       varchar(128) NOT NULL,
    request_line     integer      NOT NULL,
    payload_hash     char(32)     NOT NULL,
    type             varchar(16)  NOT NULL,
    physical_change  bigint       NOT NULL,
    allocated_change bigint       NOT NULL,
    physical_after   bigint       NOT NULL,
    allocated_after  bigint       NOT NULL,
    reservation_id   varchar(128),
    note             varchar(200),
    created_at       timestamp(6) NOT NULL,
    PRIMARY KEY (sku, location, sequence),
    CONSTRAINT inventory_transaction_once UNIQUE (request_id, request_line)
);

-- One row for each line of a reservation. Its states are no IN list: H2 2.4 cannot check one any more once the connection
-- that made the table is closed.
CREATE TABLE IF NOT EXISTS inventory_reservation (
    reservation_id varchar(128) NOT NULL,
    sku            varchar(64)  NOT NULL,
    location       varchar(64)  NOT NULL,
    quantity       bigint       NOT NULL,
    state          varchar(16)  NOT NULL,
    expires_at     timestamp(6),
    created_at     timestamp(6) NOT NULL,
    ended_at       timestamp(6),
    PRIMARY KEY (reservation_id, sku, location),
    CONSTRAINT inventory_reservation_quantity CHECK (quantity > 0),
    CONSTRAINT inventory_reservation_state CHECK (
        CASE state WHEN 'HELD' THEN TRUE WHEN 'SHIPPED' THEN TRUE WHEN 'CANCELLED' THEN TRUE WHEN 'EXPIRED' THEN TRUE
        ELSE FALSE END)
);

CREATE INDEX IF NOT EXISTS inventory_reservation_due
    ON inventory_reservation (state, expires_at);
