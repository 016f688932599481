/** Stock reservations that never oversell. */
module dev.lockstep.inventory {
    requires transitive dev.lockstep.core;
    requires static transitive org.jspecify;
    requires transitive java.sql;
    requires org.slf4j;

    exports dev.lockstep.inventory;
}
