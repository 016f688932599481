/** What all tabs of an origin ask for, with the name of the project behind it if it has one. */
const NAME = 'lockstep:project';

const UNAVAILABLE = ['NotSupportedError', 'SecurityError'];

/** Whether an error says that Web Locks are unavailable here at all, rather than not now. */
export function saysUnavailable(error) {
  return UNAVAILABLE.includes(error?.name);
}

/** The browser's Web Locks, for the one lock of the project. */
export class WebLocks {
  #locks;
  #name;

  constructor(locks, project = '') {
    this.#locks = locks;
    this.#name = project ? `${NAME}:${project}` : NAME;
  }

  /** Joins the queue for the lock. */
  request() {
    return new WebLockRequest(this.#locks, this.#name, {});
  }

  /** Takes the lock away from its holder. For the owner of the lease record only. */
  steal() {
    return new WebLockRequest(this.#locks, this.#name, { steal: true });
  }

  /**
   * Resolves once the browser has dealt with every request made so far: what it granted or took away is known here.
   * Returns whether that is sure. A question to the browser is answered after the messages before it.
   */
  async settled() {
    try {
      await this.#locks.query();
      return true;
    } catch {
      return false;
    }
  }
}

/** A place in the queue for the Web Lock, and the lock itself once it is granted. */
class WebLockRequest {
  #quit = new AbortController();
  #letGo;
  #isOver = false;

  /** Whether the lock is held now. */
  isHeld = false;

  /** Whether the lock was held, and taken away. */
  isLost = false;

  /** Why the request failed, if it did: known before the waiting callers are resumed. */
  failure;

  /** Called when the lock is taken away. */
  onLost = () => {};

  /** Resolves when the lock is granted; rejects when it can't be. */
  granted;

  constructor(locks, name, { steal = false }) {
    this.granted = new Promise((resolve, reject) => {
      this.#request(locks, name, steal, resolve).catch(reject);
    });
    this.granted.catch(() => {}); // those that wait for it see it
  }

  /** Frees the lock, or leaves the queue. */
  free() {
    this.#isOver = true;
    this.isHeld = false;
    this.#letGo?.();
    this.#quit.abort();
  }

  async #request(locks, name, steal, resolve) {
    // A request that steals is never queued, and takes no signal.
    const options = steal ? { steal } : { signal: this.#quit.signal };
    try {
      if (!locks) {
        throw new DOMException('This browser has no Web Locks.', 'NotSupportedError');
      }
      await locks.request(name, options, () => this.#hold(resolve));
    } catch (error) {
      this.#lose(error);
    }
  }

  #hold(resolve) {
    if (this.#isOver) {
      return undefined;
    }
    this.isHeld = true;
    resolve();
    return new Promise((letGo) => {
      this.#letGo = letGo;
    });
  }

  #lose(error) {
    if (!this.isHeld) {
      this.failure = error;
      throw error;
    }
    this.isHeld = false;
    this.isLost = true;
    this.onLost(error);
  }
}
