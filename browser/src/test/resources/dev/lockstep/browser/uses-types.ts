// What a TypeScript page may write with the package. Compiled by TypesTest.
import {
  acquireProjectLock,
  ProjectLockError,
  type ProjectLockEvent,
  type ProjectLockLease,
  releaseProjectLock,
  renewProjectLock,
  subscribeLockEvents,
  withProjectLock,
} from 'lockstep-project-lock';
import { projectLockOf } from 'lockstep-project-lock/named';
import { subscribeTabNews } from 'lockstep-project-lock/tabs';
import { createProjectLock, EventProbe, FakeClock, InMemoryOpfsFile, MockNavigatorLocks } from 'lockstep-project-lock/testing';

async function save(signal: AbortSignal): Promise<string> {
  const { lease, didFallback } = await acquireProjectLock({ signal, maxWaitMs: 2_000 });
  const renewed: ProjectLockLease = await renewProjectLock({ lease, extendByMs: 10_000 });
  await releaseProjectLock({ lease: renewed, reason: 'completed' });
  return didFallback ? renewed.source : renewed.leaseId;
}

function describe(event: ProjectLockEvent): string {
  return event.type === 'expired' && event.replacedRecord ? 'replaced' : `${event.type} ${event.lease?.expiresAt ?? 0}`;
}

export async function use(signal: AbortSignal): Promise<number> {
  const subscription = subscribeLockEvents(event => console.info(describe(event)));
  const news = subscribeTabNews(({ tab, state }) => console.info(tab, state));
  try {
    await save(signal);
    return await withProjectLock(undefined, async ({ expiresAt }) => expiresAt);
  } catch (error) {
    if (error instanceof ProjectLockError && error.code === 'acquire-timeout' && error.retryable) return 0;
    throw error;
  } finally {
    subscription.unsubscribe();
    news.unsubscribe();
  }
}

export async function test(): Promise<string[]> {
  const clock = new FakeClock();
  const locks = new MockNavigatorLocks([MockNavigatorLocks.unsupported()]);
  const lock = createProjectLock({ locks, clock, file: new InMemoryOpfsFile() });
  const probe = new EventProbe(lock.subscribeLockEvents);
  await projectLockOf('drawing').withProjectLock({ maxWaitMs: 0 }, async lease => lease.leaseId);
  await clock.advance(15_000);
  return probe.types();
}
