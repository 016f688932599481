/** What several runs share: contenders, loads, rounds, figures, tables, servers. */
@NullMarked
package dev.lockstep.benchmarks.measure;

import org.jspecify.annotations.NullMarked;
