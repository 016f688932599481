import { el, say, show, svg } from './dom.js';
import { timeOfDay } from './words.js';

const ROOM = { left: 54, right: 6, top: 12, bottom: 22 };
const HEIGHT = 180;

/**
 * One figure over time: a line with axes, and a reading under the pointer or, with the arrow keys, under the focus.
 */
export class Chart {
  #caption;
  #value;
  #format;
  #points = [];
  #read = -1;
  #now = el('strong');
  #tip = el('div', { class: 'tip', hidden: '', 'aria-hidden': 'true' });
  #plot = el('div', { class: 'plot', tabindex: 0, role: 'slider', 'aria-orientation': 'horizontal', 'aria-valuenow': 0 });
  element = el('figure', { class: 'chart' });

  /** `value(point)` is the figure, `format(value)` its words. */
  constructor(caption, value, format) {
    this.#caption = caption;
    this.#value = value;
    this.#format = format;
    this.#plot.setAttribute('aria-label', `${caption}, over time`);
    this.element.append(el('figcaption', null, caption, this.#now), this.#plot, this.#tip);
    this.#plot.addEventListener('pointermove', (event) => this.#point(event));
    this.#plot.addEventListener('pointerleave', () => this.#readAt(-1));
    this.#plot.addEventListener('blur', () => this.#readAt(-1));
    this.#plot.addEventListener('focus', () => this.#readAt(this.#points.length - 1));
    this.#plot.addEventListener('keydown', (event) => this.#step(event));
    new ResizeObserver(() => this.#draw()).observe(this.#plot);
  }

  update(points) {
    this.#points = points;
    say(this.#now, points.length ? this.#format(this.#value(points.at(-1))) : '');
    this.#draw();
    this.#readAt(Math.min(this.#read, points.length - 1));
  }

  #step(event) {
    const last = this.#points.length - 1;
    const to = { ArrowLeft: this.#read - 1, ArrowRight: this.#read + 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.#readAt(Math.max(0, Math.min(last, to)));
  }

  #point(event) {
    const box = this.#plot.getBoundingClientRect();
    const share = (event.clientX - box.left - ROOM.left) / this.#span();
    const last = this.#points.length - 1;
    this.#readAt(Math.max(0, Math.min(last, Math.round(share * last))));
  }

  #span() {
    return Math.max(1, this.#plot.clientWidth - ROOM.left - ROOM.right);
  }

  #x(at) {
    return ROOM.left + (at / Math.max(1, this.#points.length - 1)) * this.#span();
  }

  #y(value, top) {
    return HEIGHT - ROOM.bottom - (value / top) * (HEIGHT - ROOM.top - ROOM.bottom);
  }

  #draw() {
    const width = this.#plot.clientWidth;
    if (width === 0 || this.#points.length === 0) return;
    const values = this.#points.map(this.#value);
    const top = roundTop(Math.max(...values));
    const line = values.map((value, at) => `${this.#x(at).toFixed(1)} ${this.#y(value, top).toFixed(1)}`);
    const floor = this.#y(0, top);
    this.#plot.replaceChildren(svg('svg', { viewBox: `0 0 ${width} ${HEIGHT}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' },
      ...this.#levels(top, width), ...this.#times(),
      svg('path', { class: 'area', d: `M${this.#x(0)} ${floor}L${line.join('L')}L${this.#x(values.length - 1)} ${floor}z` }),
      svg('path', { class: 'curve', d: `M${line.join('L')}` }), ...this.#cross(values, top)));
    this.#describe(values);
  }

  #levels(top, width) {
    return [0, 0.5, 1].flatMap((share) => {
      const y = this.#y(top * share, top);
      return [svg('line', { class: 'grid-line', x1: ROOM.left, x2: width - ROOM.right, y1: y, y2: y }),
        svg('text', { class: 'axis', x: ROOM.left - 8, y: y + 4, 'text-anchor': 'end' }, this.#format(top * share))];
    });
  }

  #times() {
    const last = this.#points.length - 1;
    const text = (at, anchor) => svg('text', { class: 'axis', x: this.#x(at), y: HEIGHT - 5, 'text-anchor': anchor }, timeOfDay(this.#points[at].at));
    return last > 0 ? [text(0, 'start'), text(last, 'end')] : [text(0, 'start')];
  }

  #cross(values, top) {
    if (this.#read < 0 || this.#read >= values.length) return [];
    const x = this.#x(this.#read);
    return [svg('line', { class: 'cross', x1: x, x2: x, y1: ROOM.top, y2: HEIGHT - ROOM.bottom }),
      svg('circle', { class: 'spot', cx: x, cy: this.#y(values[this.#read], top), r: 4 })];
  }

  #readAt(at) {
    this.#read = at;
    const point = this.#points[at];
    show(this.#tip, point !== undefined);
    if (point) {
      say(this.#tip, `${this.#format(this.#value(point))} at ${timeOfDay(point.at)}`);
      const left = this.#x(at) + 8;
      this.#tip.style.left = `${Math.min(left, this.#plot.clientWidth - this.#tip.offsetWidth)}px`;
    }
    this.#draw();
  }

  #describe(values) {
    const at = this.#read < 0 ? values.length - 1 : this.#read;
    this.#plot.setAttribute('aria-valuemin', 0);
    this.#plot.setAttribute('aria-valuemax', values.length - 1);
    this.#plot.setAttribute('aria-valuenow', at);
    this.#plot.setAttribute('aria-valuetext', `${this.#format(values[at])} at ${timeOfDay(this.#points[at].at)}`);
  }
}

/** The next round number: 1, 2 or 5 with zeros. */
function roundTop(most) {
  if (most <= 2) return 2;
  const power = 10 ** Math.floor(Math.log10(most));
  return [1, 2, 5, 10].map((factor) => factor * power).find((top) => top >= most);
}
