import { el, say } from './dom.js';
import { endLease } from './end-lease.js';
import { LeaseBar, tickUp } from './ticking.js';
import { count, isIntent, modeName, whyItWaits } from './words.js';

/** A mode's sign, with its name for those who hear it. */
export function modeSign(mode, waits = false) {
  const name = waits ? `wants ${modeName(mode)}` : modeName(mode);
  return el('span', { class: waits ? 'mode waits' : 'mode', 'data-mode': mode, title: name },
    el('span', { 'aria-hidden': 'true' }, mode), el('span', { class: 'unseen' }, name));
}

const KINDS = { held, waits, intents, more, key: () => ({ cells: [cell(), cell(), cell(), cell()], update() {} }) };

/** One row of the tree: a key alone, its holder, a waiter, several intents in one, or how many more wait. */
export function lockRow(row, open) {
  const keyCell = cell('key');
  const kind = KINDS[row.kind](row, open);
  const element = el('tr', { role: 'row', 'data-key': row.node.key, 'data-kind': row.kind }, keyCell, ...kind.cells);
  if (kind.leaseName) element.dataset.lease = kind.leaseName;
  element.style.setProperty('--indent', `${row.node.depth * 14}px`);
  element.classList.toggle('quiet-row', kind.quiet === true);
  let first = null;
  return {
    element,
    update(item) {
      if (first !== item.first) nameKey(keyCell, item);
      first = item.first;
      element.classList.toggle('same', !first);
      kind.update(item);
    },
  };
}

const cell = (look) => el('td', { role: 'cell', class: look });

function nameKey(keyCell, { node, first }) {
  const steps = Array.from({ length: node.depth }, () => el('span', { class: 'step', 'aria-hidden': 'true' }));
  const parent = node.path.slice(0, -1).map((part) => `${part}/`).join('');
  const unseen = el('span', { class: 'unseen' }, first ? parent : node.key);
  keyCell.replaceChildren(...steps, unseen, ...(first ? [node.name] : []));
}

function held({ holder }) {
  const age = cell('number');
  const bar = new LeaseBar();
  const end = el('button', { type: 'button', class: 'quiet inline end', 'aria-label': `End the lease of ${holder.owner} on ${holder.key}`, click: () => endLease(holder) }, 'End…');
  return {
    leaseName: holder.leaseName,
    quiet: isIntent(holder.mode),
    cells: [holding(cell(), modeSign(holder.mode)), ownerCell(holder), age, holding(cell('lease'), bar.element, holder.releasable && !isIntent(holder.mode) ? end : null)],
    update(item) {
      tickUp(age, item.holder.ageMs);
      bar.update(item.holder.leftMs, item.holder.ageMs);
    },
  };
}

function waits({ waiter }) {
  const age = cell('number');
  const why = cell('why says');
  return {
    leaseName: waiter.leaseName,
    cells: [holding(cell(), modeSign(waiter.mode, true)), ownerCell(waiter), age, why],
    update(item) {
      tickUp(age, item.waiter.ageMs);
      say(why, whyItWaits(item.waiter.blockedBy));
    },
  };
}

function intents({ node }, open) {
  const mode = cell();
  const owner = cell('owner');
  const all = listThem(node.key, open);
  let drawn = '';
  return {
    quiet: true,
    cells: [mode, owner, cell('number'), holding(cell('says'), all)],
    update(item) {
      const modes = [...new Set(item.intents.map((each) => each.mode))];
      const owners = [...new Set(item.intents.map((each) => each.owner))];
      if (drawn !== modes.join()) mode.replaceChildren(...modes.map((each) => modeSign(each)));
      drawn = modes.join();
      say(owner, owners.length > 2 ? `${owners.slice(0, 2).join(', ')} and ${owners.length - 2} more` : owners.join(', '));
      say(all, `${count(item.intents.length, 'lease')} below: list them`);
    },
  };
}

function more({ node }, open) {
  const all = listThem(node.key, open);
  return {
    cells: [cell(), cell(), cell(), holding(cell('says'), all)],
    update: (item) => say(all, `${count(item.more, 'more waits', 'more wait')}: list them`),
  };
}

const listThem = (key, open) => el('button', { type: 'button', class: 'quiet inline', click: () => open(key) });

const ownerCell = ({ owner, callSite }) =>
  holding(cell('owner'), owner, callSite ? el('span', { class: 'site', title: callSite }, lineOf(callSite)) : null);

/** Of "a.b.C.d(C.java:31)" what is in the brackets. */
const lineOf = (callSite) => /\(([^()]+)\)$/.exec(callSite)?.[1] ?? callSite;

function holding(parent, ...children) {
  parent.append(...children.filter((child) => child !== null));
  return parent;
}
