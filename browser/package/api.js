/** The five functions of the API, for one holder of the lock. */
export function apiOf(lock) {
  return {
    acquireProjectLock: (options) => lock.acquire(options),
    renewProjectLock: (options) => lock.renew(options),
    releaseProjectLock: (options) => lock.release(options),
    withProjectLock: (options, work) => lock.with(options, work),
    subscribeLockEvents: (listener) => lock.subscribe(listener),
  };
}
