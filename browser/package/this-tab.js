import { PageClock } from './clock.js';
import { LockEvents } from './events.js';
import { ProjectLock } from './project-lock.js';
import { TabChannel } from './tab-channel.js';
import { WebLocks } from './web-locks.js';
import { WorkerLink } from './worker-link.js';

/** This tab (or frame) as a holder of the project lock, made of what the browser has. */
class ThisTab {
  constructor() {
    const worker = new WorkerLink(startWorker);
    const events = new LockEvents();
    this.channel = new TabChannel();
    this.lock = new ProjectLock({
      webLocks: new WebLocks(globalThis.navigator?.locks),
      leaseFile: worker.remote(['take', 'promote', 'renew', 'release', 'check']),
      clock: new PageClock(worker),
      events,
      onState: (state) => this.channel.tellState(state),
    });
    events.subscribe((event) => this.channel.tellEvent(event));
    this.#revalidateOnReturn();
  }

  /** The moments at which a tab that was frozen, asleep or in the back of the history comes back. */
  #revalidateOnReturn() {
    const revalidate = () => void this.lock.revalidate();
    for (const moment of ['focus', 'pageshow']) {
      globalThis.window?.addEventListener(moment, revalidate);
    }
    for (const moment of ['resume', 'visibilitychange']) {
      globalThis.document?.addEventListener(moment, revalidate);
    }
  }
}

function startWorker() {
  return new Worker(new URL('./lockstep-project-lock-worker.js', import.meta.url), { type: 'module' });
}

export const thisTab = new ThisTab();
