import { Refused } from './server.js';

const EVERY = 1000;
const LONGEST = 10_000;
const SOONEST = 200;

/**
 * Runs a task about once a second while the page is seen, less and less often while the server is gone, and sooner when asked.
 * Never twice at a time.
 */
export class Heartbeat extends EventTarget {
  #task;
  #timer = 0;
  #dueAt = 0;
  #running = false;
  #again = false;
  #lastStart = -Infinity;
  #failures = 0;
  #goneSince = null;
  #stopped = false;

  constructor(task) {
    super();
    this.#task = task;
    document.addEventListener('visibilitychange', () => (document.hidden ? this.#cancel() : this.soon()));
  }

  /** When the server was last reached, while it is gone; else null. */
  get goneSince() {
    return this.#goneSince;
  }

  /** In how many milliseconds it is tried again. */
  get nextInMs() {
    return Math.max(0, this.#dueAt - performance.now());
  }

  /** Beats as soon as it may: what asks often is answered a few times a second. */
  soon() {
    if (this.#stopped) return;
    if (this.#running) this.#again = true;
    else this.#schedule(Math.max(0, this.#lastStart + SOONEST - performance.now()));
  }

  /** Rests until `resume`, as while the token is missing. */
  rest() {
    this.#stopped = true;
    this.#cancel();
  }

  resume() {
    this.#stopped = false;
    this.soon();
  }

  #cancel() {
    clearTimeout(this.#timer);
  }

  #schedule(delay) {
    this.#cancel();
    this.#dueAt = performance.now() + delay;
    this.#timer = setTimeout(() => this.#beat(), delay);
  }

  async #beat() {
    this.#running = true;
    this.#again = false;
    this.#lastStart = performance.now();
    try {
      await this.#task();
      this.#reached();
    } catch (failure) {
      if (failure instanceof Refused && failure.status < 500) this.#reached();
      else this.#failed(failure);
    } finally {
      this.#running = false;
    }
    if (document.hidden || this.#stopped) return;
    if (this.#again && this.#failures === 0) this.soon();
    else this.#schedule(Math.min(LONGEST, EVERY * 2 ** Math.min(this.#failures, 5)));
  }

  #reached() {
    const wasGone = this.#goneSince !== null;
    this.#failures = 0;
    this.#goneSince = null;
    this.dispatchEvent(new Event(wasGone ? 'back' : 'reached'));
  }

  #failed(failure) {
    this.#failures++;
    this.#goneSince ??= new Date();
    this.dispatchEvent(new CustomEvent('gone', { detail: failure }));
  }
}
