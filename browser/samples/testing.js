// How users test code that holds the project lock. Shown in docs/project-lock.md, run by DocumentationSamplesTest.
// tag::browser-testing
import {
  createProjectLock,
  EventProbe,
  FakeClock,
  InMemoryOpfsFile,
  MockNavigatorLocks,
} from '/lockstep/project-lock/testing.js';

export async function noticesThatItsLeaseIsOver() {
  const clock = new FakeClock();
  const file = new InMemoryOpfsFile();
  const locks = new MockNavigatorLocks([MockNavigatorLocks.unsupported()]);
  const lock = createProjectLock({ locks, file, clock });
  const probe = new EventProbe(lock.subscribeLockEvents);

  await lock.acquireProjectLock();
  await clock.advance(15_000); // takes no real time
  return probe.types(); // switch-to-fallback, acquired, expired
}
// end::browser-testing
