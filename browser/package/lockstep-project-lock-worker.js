import { SystemClock } from './clock.js';
import { toMessage } from './errors.js';
import { LeaseFile } from './lease-file.js';
import { OpfsFiles } from './opfs-files.js';

// The worker of a tab: changes the lease file, and keeps time where a hidden page's timers would be late.

const clock = new SystemClock();
const leaseFile = new LeaseFile(new OpfsFiles(navigator.storage, globalThis.name), clock);
const cancels = new Map();

async function answer(id, name, argument) {
  try {
    postMessage({ id, value: await leaseFile[name](argument) });
  } catch (error) {
    postMessage({ id, error: toMessage(error) });
  }
}

function setAlarm(id, delayMs) {
  const ring = () => {
    cancels.delete(id);
    postMessage({ id });
  };
  cancels.set(id, clock.alarm(delayMs, ring));
}

function cancelAlarm(id) {
  cancels.get(id)?.();
  cancels.delete(id);
}

onmessage = ({ data: { id, ask, argument, alarm, cancel } }) => {
  if (ask) {
    answer(id, ask, argument);
  } else if (cancel) {
    cancelAlarm(id);
  } else {
    setAlarm(id, alarm);
  }
};

postMessage({ ready: true });
