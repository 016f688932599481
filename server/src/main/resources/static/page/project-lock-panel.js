import { byId } from './dom.js';

/** The project lock's own page in a frame, which is loaded when it is first seen. */
export class ProjectLockPanel {
  #buttons = [...document.querySelectorAll('.switcher button')];

  constructor() {
    for (const button of this.#buttons) button.addEventListener('click', () => this.#choose(button));
  }

  async refresh() {
    if (byId('project-lock-frame').hasAttribute('src')) return;
    const narrow = matchMedia('(max-width: 820px)').matches;
    this.#choose(this.#buttons[narrow ? 0 : 1]);
  }

  #choose(chosen) {
    for (const button of this.#buttons) button.setAttribute('aria-pressed', button === chosen);
    byId('project-lock-frame').src = chosen.dataset.src;
  }
}
