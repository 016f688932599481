// The first lines of the package's README, which names the package as bundlers do. Run by DocumentationSamplesTest.
export async function quickStart(indicator, save) {
  // tag::browser-quick-start
  const { withProjectLock, subscribeLockEvents } = await import('lockstep-project-lock');

  subscribeLockEvents(({ type, error }) => indicator.show(type, error));
  await withProjectLock({ maxWaitMs: 5000 }, async (lease) => save(lease));
  // end::browser-quick-start
}

export async function quickTest() {
  // tag::browser-quick-test
  const { createProjectLock, FakeClock, MockNavigatorLocks } = await import('lockstep-project-lock/testing');

  const clock = new FakeClock();
  const lock = createProjectLock({ locks: new MockNavigatorLocks(), clock });
  const { lease } = await lock.acquireProjectLock();
  await clock.advance(15_000); // the lease has ended: an event "expired"
  // end::browser-quick-test
  return lock.releaseProjectLock({ lease });
}
