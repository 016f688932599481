import { apiOf } from './api.js';
import { LockEvents } from './events.js';
import { LeaseFile } from './lease-file.js';
import { ProjectLock } from './project-lock.js';
import { EventProbe } from './testing-event-probe.js';
import { FakeClock } from './testing-fake-clock.js';
import { filesOf, InMemoryOpfsFile } from './testing-in-memory-file.js';
import { MockNavigatorLocks } from './testing-mock-locks.js';
import { WebLocks } from './web-locks.js';

export { EventProbe, FakeClock, InMemoryOpfsFile, MockNavigatorLocks };

/**
 * A project lock made of test doubles: the functions of the API, for its own holder. Two that are given the same file
 * and locks are two tabs. Without locks there are no Web Locks, as in an old browser.
 */
export function createProjectLock({ locks, file = new InMemoryOpfsFile(), clock = new FakeClock(), log = console } = {}) {
  const lock = new ProjectLock({
    webLocks: new WebLocks(locks),
    leaseFile: new LeaseFile(filesOf(file), clock),
    clock,
    events: new LockEvents(log),
  });
  return { ...apiOf(lock), revalidate: () => lock.revalidate(), state: () => lock.state };
}
