import { PageClock } from './clock.js';
import { LockEvents } from './events.js';
import { ProjectLock } from './project-lock.js';
import { TabChannel } from './tab-channel.js';
import { WebLocks } from './web-locks.js';
import { WorkerLink } from './worker-link.js';

/** This tab (or frame) as a holder of the lock of a project, made of what the browser has. */
class ThisTab {
  constructor(project) {
    const worker = new WorkerLink(() => startWorker(project));
    const events = new LockEvents();
    this.channel = new TabChannel(project);
    this.lock = new ProjectLock({
      webLocks: new WebLocks(globalThis.navigator?.locks, project),
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

/** The worker learns the project by its own name. */
function startWorker(project) {
  return new Worker(new URL('./lockstep-project-lock-worker.js', import.meta.url), { type: 'module', name: project });
}

const tabs = new Map();

/** This tab for the project of a name, always the same; for the one without a name if that is empty. */
export function tabOf(project) {
  if (!tabs.has(project)) {
    tabs.set(project, new ThisTab(project));
  }
  return tabs.get(project);
}

export const thisTab = tabOf('');
