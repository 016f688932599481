const STATES = {
  idle: ['idle', 'not held here'],
  'requesting-web': ['waiting', 'waiting'],
  'switching-fallback': ['waiting', 'switching to the lease file'],
  'backing-off': ['waiting', 'waiting'],
  'holding-web': ['held', 'held by Web Lock'],
  'holding-fallback': ['held', 'held by lease file'],
  renewing: ['held', 'renewing'],
  releasing: ['idle', 'releasing'],
  faulted: ['failed', 'not acquired'],
};
const MOST_EVENTS = 100;

const element = (id) => document.getElementById(id);

/** The elements of the page that the rest of the demo uses. */
export const controls = Object.fromEntries(
  ['acquire', 'renew', 'release', 'text', 'web-locks'].map((id) => [id, element(id)]),
);

export function showState(state, detail) {
  const [kind, words] = STATES[state] ?? STATES.idle;
  const isHeld = kind === 'held';
  element('state').textContent = words;
  element('state').dataset.kind = kind;
  element('detail').textContent = detail;
  controls.acquire.disabled = isHeld || kind === 'waiting';
  controls.renew.disabled = !isHeld;
  controls.release.disabled = !isHeld;
  controls.text.readOnly = !isHeld;
}

export function showRemaining(ms) {
  element('remaining').value = Math.max(0, ms);
}

export function showSaved(words) {
  element('saved').textContent = words;
}

export function showName(name) {
  element('tab-name').textContent = name ? `· ${name}` : '';
}

export function addEvent({ type, lease, error, attempt, delayMs }) {
  const notes = [
    lease?.source,
    attempt && `attempt ${attempt} · ${Math.round(delayMs)} ms`,
    error?.code,
  ];
  element('events').querySelector('.empty')?.remove();
  element('events').prepend(line(time(Date.now()), type, notes.filter(Boolean).join(' · ')));
  [...element('events').children].slice(MOST_EVENTS).forEach((old) => old.remove());
}

/** Shows the other tabs, each with its last news. */
export function showOthers(tabs) {
  const lines = [...tabs].map(({ tab, state, at }) => {
    const [, words] = STATES[state] ?? STATES.idle;
    return line(time(at), `Tab ${tab.slice(0, 4)}`, words);
  });
  element('others').replaceChildren(...(lines.length > 0 ? lines : [empty('No other tab yet.')]));
}

function line(when, what, note) {
  const item = document.createElement('li');
  item.append(child('time', when), child('span', what), child('span', note, 'note'));
  return item;
}

function child(name, text, className = '') {
  const node = document.createElement(name);
  node.textContent = text;
  node.className = className;
  return node;
}

function empty(text) {
  return child('li', text, 'empty');
}

export function time(at) {
  return new Date(at).toLocaleTimeString([], { hour12: false });
}
