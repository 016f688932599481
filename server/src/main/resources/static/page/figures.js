import { el, oneEach, say } from './dom.js';

/** Shows figures with their names: pairs of both, and how it looks where it matters. */
export function showFigures(list, pairs) {
  oneEach(list, pairs, ([name]) => name, ([name]) => {
    const value = el('dd');
    return {
      element: el('div', { 'data-figure': name }, el('dt', null, name), value),
      update([, text, look]) {
        say(value, text);
        value.className = look ?? '';
      },
    };
  });
}
