import { apiOf } from './api.js';
import { thisTab } from './this-tab.js';

export const { acquireProjectLock, renewProjectLock, releaseProjectLock, withProjectLock, subscribeLockEvents } =
  apiOf(thisTab.lock);

export { ProjectLockError } from './errors.js';
