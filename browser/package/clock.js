/** Longer delays than this wrap around in browsers. */
const LONGEST_DELAY_MS = 2 ** 31 - 1;

/** The browser's two clocks: one that can be set, and one that may stand still while the computer sleeps. */
export class SystemClock {
  now() {
    return Date.now();
  }

  monotonic() {
    return performance.now();
  }

  /** Calls back once, after a delay. Answers a function that cancels. */
  alarm(delayMs, ring) {
    const timer = setTimeout(ring, Math.min(delayMs, LONGEST_DELAY_MS));
    return () => clearTimeout(timer);
  }
}

/** The system's clock with alarms that the worker keeps too: a hidden page's own timers may be a minute late. */
export class PageClock extends SystemClock {
  #worker;

  constructor(worker) {
    super();
    this.#worker = worker;
  }

  alarm(delayMs, ring) {
    const cancels = [];
    const cancelAll = () => cancels.splice(0).forEach((cancel) => cancel());
    const once = () => {
      cancelAll();
      ring();
    };
    cancels.push(super.alarm(delayMs, once), this.#worker.alarm(delayMs, once));
    return cancelAll;
  }
}

/** When a term that began at a reading of both clocks ends: when either clock says so. */
export class Deadline {
  #clock;

  constructor(clock, { wall, monotonic }) {
    this.#clock = clock;
    this.wall = wall;
    this.monotonic = monotonic;
  }

  /** Counted from now, so it is to be read before the question is asked. */
  static after(clock, termMs) {
    return new Deadline(clock, { wall: clock.now() + termMs, monotonic: clock.monotonic() + termMs });
  }

  /**
   * Moves the end to a term from now, never to an earlier moment. A wall clock that says more is left than the term was set
   * back since; then what is left by the monotonic clock counts from its new time.
   */
  extendedBy(extensionMs, termMs) {
    const { wall, monotonic } = Deadline.after(this.#clock, extensionMs);
    const now = this.#clock.now();
    const wasSetBack = this.wall - now > termMs;
    const before = wasSetBack ? now + Math.floor(this.monotonic - this.#clock.monotonic()) : this.wall;
    return new Deadline(this.#clock, {
      wall: Math.max(wall, before),
      monotonic: Math.max(monotonic, this.monotonic),
    });
  }

  remainingMs() {
    return Math.max(0, Math.min(this.wall - this.#clock.now(), this.monotonic - this.#clock.monotonic()));
  }

  isOver() {
    return this.remainingMs() === 0;
  }
}
