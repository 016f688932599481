import { apiOf } from './api.js';
import { tabOf } from './this-tab.js';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** The lock of one of several projects of this origin. */
export function projectLockOf(name) {
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw new RangeError(
      'The name of a project must have 1 to 64 letters and digits of ASCII, or . _ - after the first, but was ' +
        `${JSON.stringify(name)}.`,
    );
  }
  return apiOf(tabOf(name).lock);
}
