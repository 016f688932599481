// How a web page saves by itself under the project lock. Shown in docs/project-lock.md, run by DocumentationSamplesTest.

// tag::browser-autosave
import { subscribeLockEvents, withProjectLock } from '/lockstep/project-lock/lockstep-project-lock.js';

/** Saves the result of `text()` every second, until the signal is aborted; no other saves the project meanwhile. */
export async function autosave(text, signal, showState) {
  let ended; // the lease that ended last: the tab was frozen, or the machine slept
  const subscription = subscribeLockEvents(event => {
    showState(event.type);
    if (event.type === 'expired') ended = event.lease?.leaseId; // none where a damaged record was replaced
  });
  try {
    await withProjectLock({ signal, maxWaitMs: 60_000 }, async ({ leaseId }) => {
      while (!signal.aborted && ended !== leaseId) {
        await save(text());
        await new Promise(resolve => setTimeout(resolve, 1_000));
      }
    });
  } finally {
    subscription.unsubscribe();
  }
}

async function save(text) {
  const root = await navigator.storage.getDirectory();
  const project = await root.getDirectoryHandle('project', { create: true });
  const file = await (await project.getFileHandle('text.txt', { create: true })).createWritable();
  await file.write(text);
  await file.close();
}
// end::browser-autosave
