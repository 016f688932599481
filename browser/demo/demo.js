import { load, save } from './document.js';
import { addEvent, controls, showName, showOthers, showRemaining, showSaved, showState, time } from './view.js';

const SAVE_AFTER_MS = 400;

const address = new URL(location.href);
const hasWebLocks = address.searchParams.get('web-locks') !== 'off';
if (!hasWebLocks) {
  Object.defineProperty(Navigator.prototype, 'locks', { value: undefined }); // what an old browser looks like
}

const { acquireProjectLock, renewProjectLock, releaseProjectLock, subscribeLockEvents } = await import(
  '../project-lock/lockstep-project-lock.js'
);
const { subscribeTabNews } = await import('../project-lock/tabs.js');

let lease;
let unsaved;
const others = new Map();
const saves = new BroadcastChannel('lockstep-demo:saves');

const words = {
  acquired: ({ lease }) => [holding(lease), 'Yours. Type: it is saved and renewed by itself, and ends 15 s after the last save.'],
  renewed: ({ lease }) => [holding(lease), `Renewed until ${time(lease.expiresAt)}.`],
  released: () => ['idle', 'Released. Acquire the lock to edit.'],
  expired: ({ error, replacedRecord }) => ['idle', !replacedRecord ? 'The lease has ended. Acquire the lock to continue.' : error.message],
  backoff: ({ delayMs }) => ['backing-off', `Another tab has it. Looking again in ${Math.round(delayMs)} ms.`],
  'switch-to-fallback': () => ['switching-fallback', 'No Web Locks here: the lease file decides.'],
  'acquire-failed': ({ error }) => ['faulted', error.message],
  'release-failed': ({ error }) => ['faulted', error.message],
};

function holding({ source }) {
  return source === 'web-lock' ? 'holding-web' : 'holding-fallback';
}

function onLockEvent(event) {
  addEvent(event);
  showState(...words[event.type](event));
  if (event.type === 'acquired' || event.type === 'renewed') {
    lease = event.lease;
  } else if (['expired', 'released', 'release-failed'].includes(event.type)) {
    lease = undefined;
  }
}

async function acquire() {
  showState('requesting-web', 'Asking for the lock.');
  await acquireProjectLock();
  await showDocument();
  controls.text.focus();
}

async function release() {
  await saveNow();
  await releaseProjectLock({ lease });
}

function onInput() {
  showSaved('typing …');
  clearTimeout(unsaved);
  unsaved = setTimeout(() => attempt(saveNow), SAVE_AFTER_MS);
}

/** Renewing comes first: it says whether the lock is still held, and gives the time that saving needs. */
async function saveNow() {
  clearTimeout(unsaved);
  await renewProjectLock({ lease });
  await save(controls.text.value);
  saves.postMessage('saved');
  showSaved(`saved at ${time(Date.now())}`);
}

async function showDocument() {
  controls.text.value = await load();
  showSaved(controls.text.value ? 'as saved' : 'empty');
}

function onTabNews(news) {
  if (news.state === 'gone') {
    others.delete(news.tab);
  } else {
    others.set(news.tab, news);
  }
  showOthers(others.values());
}

function onSaveElsewhere() {
  if (!lease) {
    attempt(showDocument);
  }
}

/** Errors of the lock were reported as events already. */
async function attempt(action) {
  try {
    await action();
  } catch (error) {
    if (!error.code) {
      showState('faulted', error.message);
    }
  }
}

function switchWebLocks() {
  address.searchParams.set('web-locks', controls['web-locks'].checked ? 'on' : 'off');
  location.replace(address);
}

showName(address.searchParams.get('name'));
controls['web-locks'].checked = hasWebLocks;
controls['web-locks'].addEventListener('change', switchWebLocks);
controls.acquire.addEventListener('click', () => attempt(acquire));
controls.renew.addEventListener('click', () => attempt(() => renewProjectLock({ lease })));
controls.release.addEventListener('click', () => attempt(release));
controls.text.addEventListener('input', onInput);
subscribeLockEvents(onLockEvent);
subscribeTabNews(onTabNews);
saves.addEventListener('message', onSaveElsewhere);
setInterval(() => showRemaining(lease ? lease.expiresAt - Date.now() : 0), 200);
await attempt(showDocument);
document.documentElement.dataset.ready = 'true';
