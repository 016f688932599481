package dev.lockstep.server.http;

/**
 * A code of the API's document.
 *
 * @param status The status it comes with, or several with commas.
 * @param retryable Whether the same request may succeed later.
 * @param means What it means, and what to do.
 */
record ProblemCode(String status, boolean retryable, String means) {}
