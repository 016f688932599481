import { byId, say, show } from './dom.js';
import { ask } from './server.js';

let ending = null;

/** Asks why, and ends another's lease. Only tokens with the right to administer may. */
export function endLease(holder) {
  ending = holder;
  say(byId('end-what'), `${holder.owner} holds ${holder.key}. Its lease ends at once, with all of its locks, and its next renewal gets your reason.`);
  byId('end-reason').value = '';
  show(byId('end-refused'), false);
  byId('end-lease').showModal();
}

/** Connects the dialog; {@code ended} is called after a lease has ended. */
export function startEndLease(ended) {
  const dialog = byId('end-lease');
  byId('end-cancel').addEventListener('click', () => dialog.close());
  byId('end-form').addEventListener('submit', async (event) => {
    event.preventDefault();
    try {
      await ask('POST', `/api/admin/leases/${encodeURIComponent(ending.leaseName)}/revoke`, { body: { reason: byId('end-reason').value.trim() } });
      dialog.close();
      ended();
    } catch (failure) {
      say(byId('end-refused'), failure.message);
      show(byId('end-refused'), true);
    }
  });
}
