/** Records what `subscribeLockEvents` reports, in order. */
export class EventProbe {
  #subscription;

  events = [];

  /** Starts listening: `new EventProbe(lock.subscribeLockEvents)`. */
  constructor(subscribeLockEvents) {
    this.#subscription = subscribeLockEvents((event) => void this.events.push(event));
  }

  types() {
    return this.events.map(({ type }) => type);
  }

  of(type) {
    return this.events.filter((event) => event.type === type);
  }

  stop() {
    this.#subscription.unsubscribe();
  }
}
