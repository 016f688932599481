import { isIntent } from './words.js';

const ORDER = { X: 0, SIX: 1, S: 2, IX: 3, IS: 4 };
const natural = new Intl.Collator('en', { numeric: true });

/** At one key, how many intents or waiters are listed one by one. */
export const INTENTS = 1;
export const WAITERS = 6;

/** The rows of the tree, a key above those below it: each with its depth and, of one key, the first alone with its name. */
export function treeRows(view, matches, opened) {
  return keys(view, matches).flatMap((node) => rowsOf(node, opened.has(node.key)));
}

function keys(view, matches) {
  const nodes = new Map();
  for (const holder of view.holders) if (matches(holder)) nodeAt(nodes, holder.key).holders.push(holder);
  for (const waiter of view.waiters) if (matches(waiter)) nodeAt(nodes, waiter.key).waiters.push(waiter);
  return [...nodes.values()].sort((a, b) => compare(a.path, b.path));
}

function nodeAt(nodes, key) {
  let node = nodes.get(key);
  if (!node) {
    const path = key.split('/');
    node = { key, path, name: path.at(-1), depth: path.length - 1, holders: [], waiters: [] };
    nodes.set(key, node);
    if (path.length > 1) nodeAt(nodes, path.slice(0, -1).join('/'));
  }
  return node;
}

function compare(a, b) {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) if (a[i] !== b[i]) return natural.compare(a[i], b[i]) || (a[i] < b[i] ? -1 : 1);
  return a.length - b.length;
}

function rowsOf(node, open) {
  const holders = node.holders.sort((a, b) => ORDER[a.mode] - ORDER[b.mode] || b.ageMs - a.ageMs);
  const rows = [...holderRows(node, holders, open), ...waiterRows(node, open)];
  if (rows.length === 0) rows.push({ id: `key ${node.key}`, kind: 'key' });
  return rows.map((row, at) => ({ ...row, node, first: at === 0 }));
}

function holderRows(node, holders, open) {
  const row = (holder) => ({ id: `held ${node.key} ${holder.leaseName} ${holder.mode}`, kind: 'held', holder });
  const intents = holders.filter((holder) => isIntent(holder.mode));
  if (open || intents.length <= INTENTS) return holders.map(row);
  const others = holders.filter((holder) => !isIntent(holder.mode));
  return [...others.map(row), { id: `intents ${node.key}`, kind: 'intents', intents }];
}

function waiterRows(node, open) {
  const seen = open ? node.waiters : node.waiters.slice(0, WAITERS);
  const rows = seen.map((waiter) => ({ id: `waits ${node.key} ${waiter.leaseName}`, kind: 'waits', waiter }));
  const more = node.waiters.length - seen.length;
  return more === 0 ? rows : [...rows, { id: `more ${node.key}`, kind: 'more', more }];
}
