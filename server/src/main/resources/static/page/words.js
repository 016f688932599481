const figures = new Intl.NumberFormat('en');
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });

/** A number with its thousands apart. */
export const number = (value) => figures.format(value >= 100 ? Math.round(value) : Math.round(value * 10) / 10);

/** One or many of something. */
export const count = (value, one, many = `${one}s`) => `${number(value)} ${value === 1 ? one : many}`;

/** The time of day of an instant. */
export const timeOfDay = (at) => clock.format(new Date(at));

/** The time of day with milliseconds. */
export function preciseTime(at) {
  const date = new Date(at);
  return `${clock.format(date)}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

/** How long something took or lasts, as short as it can be said. */
export function duration(ms) {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 10) return `${(Math.floor(seconds * 10) / 10).toFixed(1)} s`;
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
  return `${Math.floor(seconds / 86400)} d ${Math.floor((seconds % 86400) / 3600)} h`;
}

/** How long something runs already, without what changes every second. */
export const roughDuration = (ms) => duration(ms).replace(/ min \d+ s$/, ' min');

/** A wait that may be shorter than a tenth of a second. */
export const fineDuration = (ms) => (ms < 1000 ? `${number(ms)} ms` : duration(ms));

const MODES = {
  X: { name: 'exclusive', held: 'has held it exclusively', wanted: 'wants it exclusively' },
  S: { name: 'shared', held: 'has shared it', wanted: 'wants to share it' },
  IX: { name: 'intends exclusive', held: 'has held something below it exclusively', wanted: 'wants something below it exclusively' },
  IS: { name: 'intends shared', held: 'has shared something below it', wanted: 'wants to share something below it' },
  SIX: {
    name: 'shared, intends exclusive',
    held: 'has shared it and held something below it exclusively',
    wanted: 'wants to share it, and something below it exclusively',
  },
};

/** The mode in words. */
export const modeName = (mode) => MODES[mode]?.name ?? mode;

/** What a request for a mode wants. */
export const wanted = (mode) => MODES[mode]?.wanted ?? `wants ${mode}`;

/** Whether a mode only says that something below is locked. */
export const isIntent = (mode) => mode === 'IX' || mode === 'IS';

/** What one that is in the way does, such as "worker-3, who has held it exclusively for 1.2 s". */
export function blockerInWords(blocker) {
  if (blocker.waiting) return `${blocker.owner}, who has been ahead in the queue for ${duration(blocker.ageMs)}`;
  return `${blocker.owner}, who ${MODES[blocker.mode]?.held ?? 'has held it'} for ${duration(blocker.ageMs)}`;
}

/** Why a request waits, in one sentence. */
export function whyItWaits(blockers) {
  if (blockers.length === 0) return 'waits for its turn';
  const first = blockerInWords(blockers[0]);
  const others = blockers.length - 1;
  return others === 0 ? `waits for ${first}` : `waits for ${first}, and for ${count(others, 'other')}`;
}
