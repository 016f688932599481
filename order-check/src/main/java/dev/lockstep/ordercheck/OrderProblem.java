package dev.lockstep.ordercheck;

import com.sun.source.tree.Tree;

/**
 * Something to report.
 *
 * @param certain whether it goes wrong in every run that gets there; otherwise it is for {@code strict} alone
 */
record OrderProblem(Tree at, String message, boolean certain) {}
