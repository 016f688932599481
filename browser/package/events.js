import { levelOf } from './errors.js';

/** Those who listen to the lock, and its log. */
export class LockEvents {
  #subscribers = new Set();
  #log;

  constructor(log = console) {
    this.#log = log;
  }

  subscribe(listener) {
    if (typeof listener !== 'function') {
      throw new TypeError(`subscribeLockEvents takes a function, not ${typeof listener}.`);
    }
    const subscriber = { listener };
    this.#subscribers.add(subscriber);
    return { unsubscribe: () => void this.#subscribers.delete(subscriber) };
  }

  /** Notifies all listeners, and logs the error if there is one. */
  emit(event) {
    if (event.error) {
      this.report(event.error, event.type);
    }
    const told = Object.freeze({ ...event });
    for (const { listener } of [...this.#subscribers]) {
      this.#tell(listener, told);
    }
  }

  /** Logs an error at the level of its code. */
  report(error, context) {
    this.#log[levelOf(error)](`[lockstep] ${context}: ${error.message} (${error.code})`);
  }

  #tell(listener, event) {
    const blame = (error) => this.#log.error(`[lockstep] a listener failed on "${event.type}":`, error);
    try {
      Promise.resolve(listener(event)).catch(blame);
    } catch (error) {
      blame(error);
    }
  }
}
