package dev.lockstep.spring.autoconfigure;

import java.util.OptionalInt;
import javax.sql.DataSource;

/** Knows how many connections a DataSource gives out at most. */
@FunctionalInterface
interface PoolSize {
    /** The number; empty where there is no limit or it is unknown. */
    OptionalInt of(DataSource dataSource);
}
