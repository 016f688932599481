/**
 * `navigator.locks` for tests: grants in turn as browsers do, except for requests that `queue` says something else about, the
 * first entry for the next request. An entry is 'granted', 'stuck' (never answered), or the error to reject with.
 */
export class MockNavigatorLocks {
  #locks = new Map();

  /** Every request that was made. */
  requests = [];

  constructor(queue = []) {
    this.queue = [...queue];
  }

  static unsupported() {
    return new DOMException('Web Locks are not supported here.', 'NotSupportedError');
  }

  static denied() {
    return new DOMException('Web Locks are not allowed here.', 'SecurityError');
  }

  async request(name, options, callback) {
    this.requests.push({ name, ...options });
    const entry = this.queue.shift() ?? 'in-turn';
    if (typeof entry !== 'string') {
      throw entry;
    }
    options.signal?.throwIfAborted();
    if (entry === 'granted') {
      return callback({ name, mode: 'exclusive' });
    }
    return this.#inTurn(name, options, callback, entry === 'stuck');
  }

  async query() {
    const all = [...this.#locks.entries()];
    return {
      held: all.filter(([, { holder }]) => holder).map(([name]) => ({ name, mode: 'exclusive' })),
      pending: all.flatMap(([name, { waiting }]) => waiting.map(() => ({ name, mode: 'exclusive' }))),
    };
  }

  #inTurn(name, { signal, steal }, callback, isStuck) {
    const lock = this.#lockOf(name);
    return new Promise((resolve, reject) => {
      const request = { name, callback, resolve, reject };
      signal?.addEventListener('abort', () => this.#leave(lock, request, signal.reason));
      if (steal) {
        lock.holder?.reject(new DOMException('The lock was stolen.', 'AbortError'));
        lock.holder = undefined;
        lock.waiting.unshift(request);
      } else if (!isStuck) {
        lock.waiting.push(request);
      }
      this.#grantNext(lock);
    });
  }

  #lockOf(name) {
    if (!this.#locks.has(name)) {
      this.#locks.set(name, { holder: undefined, waiting: [] });
    }
    return this.#locks.get(name);
  }

  #leave(lock, request, reason) {
    if (lock.holder !== request) {
      lock.waiting = lock.waiting.filter((each) => each !== request);
      request.reject(reason);
    }
  }

  #grantNext(lock) {
    if (lock.holder || lock.waiting.length === 0) {
      return;
    }
    const request = lock.waiting.shift();
    lock.holder = request;
    Promise.resolve(request.callback({ name: request.name, mode: 'exclusive' }))
      .then(request.resolve, request.reject)
      .finally(() => this.#free(lock, request));
  }

  #free(lock, request) {
    if (lock.holder === request) {
      lock.holder = undefined;
      this.#grantNext(lock);
    }
  }
}
