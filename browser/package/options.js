/** How long a lease lasts, and by how much a renewal extends it. */
export const TERM_MS = 15_000;

/** The limits of a term, as on the JVM. */
const SHORTEST_TERM_MS = 10;
export const LONGEST_TERM_MS = 86_400_000;

const DEFAULT_MAX_WAIT_MS = 5000;
const DEFAULT_RETRY_POLICY = { initialDelayMs: 200, maxDelayMs: 5000, multiplier: 2, maxAttempts: Infinity };
const REASONS = ['completed', 'aborted', 'expired'];

/** The options of an acquire, complete; or an error that says what to write. */
export function acquireOptions(given = {}) {
  const options = known('The options of acquireProjectLock', given, ['signal', 'maxWaitMs', 'retryPolicy']);
  const { signal, maxWaitMs = DEFAULT_MAX_WAIT_MS, retryPolicy } = options;
  if (signal !== undefined && typeof signal?.addEventListener !== 'function') {
    throw new TypeError('signal must be an AbortSignal: write {signal: controller.signal}.');
  }
  return { signal, maxWaitMs: number('maxWaitMs', maxWaitMs, 0), retryPolicy: policy(retryPolicy) };
}

export function renewOptions(given) {
  const options = known('The options of renewProjectLock', given, ['lease', 'extendByMs']);
  const { lease, extendByMs = TERM_MS } = options;
  return { leaseId: leaseIdOf(lease), extendByMs: term('extendByMs', extendByMs) };
}

export function releaseOptions(given) {
  const options = known('The options of releaseProjectLock', given, ['lease', 'reason']);
  const { lease, reason = 'completed' } = options;
  if (!REASONS.includes(reason)) {
    throw new TypeError(`reason must be one of ${REASONS.join(', ')}, not ${show(reason)}.`);
  }
  return { leaseId: leaseIdOf(lease), reason };
}

export function workOf(work) {
  if (typeof work !== 'function') {
    throw new TypeError('withProjectLock takes the work as a function: write withProjectLock({}, async (lease) => ...).');
  }
  return work;
}

/** The pause after an attempt: longer each time, up to the longest. */
export function delayAfter(attempt, { initialDelayMs, maxDelayMs, multiplier }) {
  return Math.min(maxDelayMs, initialDelayMs * multiplier ** (attempt - 1));
}

function policy(given = {}) {
  const names = Object.keys(DEFAULT_RETRY_POLICY);
  const checked = { ...DEFAULT_RETRY_POLICY, ...defined(known('retryPolicy', given, names)) };
  finite('retryPolicy.initialDelayMs', checked.initialDelayMs, 1);
  finite('retryPolicy.maxDelayMs', checked.maxDelayMs, 1);
  finite('retryPolicy.multiplier', checked.multiplier, 1);
  number('retryPolicy.maxAttempts', checked.maxAttempts, 1);
  return checked;
}

function known(what, given, names) {
  if (typeof given !== 'object' || given === null) {
    throw new TypeError(`${what} must be an object with ${names.join(', ')}, not ${show(given)}.`);
  }
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new TypeError(`${what} have no ${show(unknown)}. There are: ${names.join(', ')}.`);
  }
  return given;
}

function defined(options) {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

function number(name, value, least) {
  if (typeof value !== 'number') {
    throw new TypeError(`${name} must be a number, not ${show(value)}.`);
  }
  if (!(value >= least)) {
    throw new RangeError(`${name} must be at least ${least}, not ${value}.`);
  }
  return value;
}

function finite(name, value, least) {
  if (value === Infinity) {
    throw new RangeError(`${name} must be finite.`);
  }
  return number(name, value, least);
}

function term(name, value) {
  if (!Number.isInteger(number(name, value, SHORTEST_TERM_MS)) || value > LONGEST_TERM_MS) {
    throw new RangeError(`${name} must be an integer from ${SHORTEST_TERM_MS} to ${LONGEST_TERM_MS} (1 day), but was ${value}.`);
  }
  return value;
}

function leaseIdOf(lease) {
  if (typeof lease?.leaseId !== 'string' || lease.leaseId === '') {
    throw new TypeError('lease must be a lease that acquireProjectLock gave: write {lease}.');
  }
  return lease.leaseId;
}

function show(value) {
  return typeof value === 'string' ? `"${value}"` : String(value);
}
