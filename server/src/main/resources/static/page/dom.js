/** The element of an id. */
export const byId = (id) => document.getElementById(id);

const SVG = 'http://www.w3.org/2000/svg';

/** Makes an element: attributes by name, a function as a listener, null for none; children are elements or texts. */
export function el(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function svg(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** Sets a text only where it differs, so that a selection in it survives. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Shows or hides an element. */
export function show(element, visible) {
  element.hidden = !visible;
}

const kept = new WeakMap();

/**
 * Gives a parent one child for each item, in their order. An item that was there before keeps its child, and with it focus and
 * selection. `make` answers `{ element, update(item) }`.
 */
export function oneEach(parent, items, keyOf, make) {
  const before = kept.get(parent) ?? new Map();
  const keys = new Set(items.map(keyOf));
  for (const [key, row] of before) if (!keys.has(key)) row.element.remove();
  const after = new Map();
  let next = parent.firstElementChild;
  for (const item of items) {
    const key = keyOf(item);
    const row = before.get(key) ?? make(item);
    row.update(item);
    after.set(key, row);
    if (row.element === next) next = next.nextElementSibling;
    else parent.insertBefore(row.element, next);
  }
  kept.set(parent, after);
}
