// The lock without a function around the work. Shown in docs/project-lock.md, run by DocumentationSamplesTest.
// tag::browser-session
import {
  acquireProjectLock,
  ProjectLockError,
  releaseProjectLock,
  renewProjectLock,
} from '/lockstep/project-lock/lockstep-project-lock.js';

export async function saveOnce(save) {
  try {
    let { lease, didFallback } = await acquireProjectLock({ maxWaitMs: 2_000 });
    await save(didFallback);
    lease = await renewProjectLock({ lease }); // 15 more seconds
    await save(didFallback);
    await releaseProjectLock({ lease, reason: 'completed' });
    return 'saved';
  } catch (error) {
    if (error instanceof ProjectLockError && error.retryable) return `later: ${error.code}`;
    throw error;
  }
}
// end::browser-session
