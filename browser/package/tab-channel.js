import { randomId } from './random-id.js';

const NAME = 'lockstep:project';

/**
 * What tabs tell each other about the lock, over a BroadcastChannel. It is news, not truth: who holds the lock is decided by the
 * record alone.
 */
export class TabChannel {
  #tab = randomId();
  #state = 'idle';
  #listeners = new Set();
  #channel;

  constructor(project = '') {
    this.#channel = this.#open(project ? `${NAME}:${project}` : NAME);
  }

  tellState(state) {
    this.#state = state;
    this.#tell({});
  }

  tellEvent({ type, lease, error, attempt, delayMs, replacedRecord }) {
    const { source, expiresAt } = lease ?? {};
    this.#tell({ event: { type, source, expiresAt, code: error?.code, attempt, delayMs, replacedRecord } });
  }

  /** Listens to the other tabs, and asks them for the state they are in. */
  subscribe(listener) {
    const listening = { listener };
    this.#listeners.add(listening);
    this.#post({ who: true });
    return { unsubscribe: () => void this.#listeners.delete(listening) };
  }

  #open(name) {
    if (typeof BroadcastChannel === 'undefined') {
      return undefined;
    }
    const channel = new BroadcastChannel(name);
    channel.onmessage = ({ data }) => this.#hear(data);
    globalThis.window?.addEventListener('pagehide', () => this.#post({ tab: this.#tab, state: 'gone', at: Date.now() }));
    return channel;
  }

  #tell(news) {
    this.#post({ tab: this.#tab, state: this.#state, at: Date.now(), ...news });
  }

  /** A page that is on its way out may have its channel closed already; there is no receiver then. */
  #post(message) {
    try {
      this.#channel?.postMessage(message);
    } catch {
      this.#channel = undefined;
    }
  }

  #hear(message) {
    if (message.who) {
      this.#tell({});
      return;
    }
    for (const { listener } of [...this.#listeners]) {
      listener(message);
    }
  }
}
