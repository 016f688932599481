/** A clock that stands still until it is moved. */
export class FakeClock {
  #wall;
  #monotonic = 0;
  #alarms = new Set();

  constructor(startMs = Date.UTC(2030, 0, 1)) {
    this.#wall = startMs;
  }

  now() {
    return this.#wall;
  }

  monotonic() {
    return this.#monotonic;
  }

  alarm(delayMs, ring) {
    const alarm = { at: this.#monotonic + delayMs, ring };
    this.#alarms.add(alarm);
    return () => void this.#alarms.delete(alarm);
  }

  sleep(delayMs) {
    return new Promise((resolve) => this.alarm(delayMs, resolve));
  }

  /** Lets time pass on both clocks, and everything happen that was due in it. */
  async advance(ms) {
    const end = this.#monotonic + ms;
    await settle();
    for (let next = this.#nextBefore(end); next; next = this.#nextBefore(end)) {
      this.#move(next.at - this.#monotonic);
      this.#alarms.delete(next);
      next.ring();
      await settle();
    }
    this.#move(end - this.#monotonic);
    await settle();
  }

  /** Sets the wall clock alone, forwards or backwards; so it is with a computer that slept. */
  jump(ms) {
    this.#wall += ms;
  }

  #move(ms) {
    this.#wall += ms;
    this.#monotonic += ms;
  }

  #nextBefore(end) {
    const due = [...this.#alarms].filter(({ at }) => at <= end);
    return due.sort((a, b) => a.at - b.at)[0];
  }
}

/** Lets every promise that can continue do so. */
function settle() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
