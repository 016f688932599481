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

  /** As in browsers: `request(name, callback)`, or `request(name, options, callback)`. */
  async request(name, ...given) {
    const [options, callback] = given.length === 1 ? [{}, given[0]] : given;
    refuseOptions(options);
    const { mode = 'exclusive', signal } = options;
    this.requests.push({ name, ...options });
    const entry = this.queue.shift() ?? 'in-turn';
    if (typeof entry !== 'string') {
      throw entry;
    }
    signal?.throwIfAborted();
    if (entry === 'granted') {
      return callback({ name, mode });
    }
    return this.#inTurn({ name, mode, callback }, options, entry === 'stuck');
  }

  async query() {
    const all = [...this.#locks.values()];
    return { held: all.flatMap(({ holders }) => holders.map(describe)), pending: all.flatMap(({ waiting }) => waiting.map(describe)) };
  }

  #inTurn(request, { signal, steal, ifAvailable }, isStuck) {
    const lock = this.#lockOf(request.name);
    if (ifAvailable && !(lock.waiting.length === 0 && isFree(lock, request))) {
      return request.callback(null);
    }
    return new Promise((resolve, reject) => {
      Object.assign(request, { resolve, reject });
      signal?.addEventListener('abort', () => this.#leave(lock, request, signal.reason));
      if (steal) {
        lock.holders.splice(0).forEach((holder) => holder.reject(new DOMException('The lock was stolen.', 'AbortError')));
        lock.waiting.unshift(request);
      } else if (!isStuck) {
        lock.waiting.push(request);
      }
      this.#grantNext(lock);
    });
  }

  #lockOf(name) {
    if (!this.#locks.has(name)) {
      this.#locks.set(name, { holders: [], waiting: [] });
    }
    return this.#locks.get(name);
  }

  #leave(lock, request, reason) {
    if (!lock.holders.includes(request)) {
      lock.waiting = lock.waiting.filter((each) => each !== request);
      request.reject(reason);
      this.#grantNext(lock);
    }
  }

  #grantNext(lock) {
    while (lock.waiting.length > 0 && isFree(lock, lock.waiting[0])) {
      this.#grant(lock, lock.waiting.shift());
    }
  }

  #grant(lock, request) {
    lock.holders.push(request);
    Promise.resolve(request.callback(describe(request)))
      .then(request.resolve, request.reject)
      .finally(() => this.#free(lock, request));
  }

  #free(lock, request) {
    if (lock.holders.includes(request)) {
      lock.holders = lock.holders.filter((each) => each !== request);
      this.#grantNext(lock);
    }
  }
}

function describe({ name, mode }) {
  return { name, mode };
}

function isFree({ holders }, { mode }) {
  return holders.every((holder) => holder.mode === 'shared' && mode === 'shared');
}

/** What browsers refuse. */
function refuseOptions({ mode = 'exclusive', steal, ifAvailable, signal }) {
  if (mode !== 'exclusive' && mode !== 'shared') {
    throw new TypeError(`mode must be 'exclusive' or 'shared', not ${String(mode)}.`);
  }
  if ((steal && (ifAvailable || signal || mode === 'shared')) || (ifAvailable && signal)) {
    throw new DOMException('These options exclude each other.', 'NotSupportedError');
  }
}
