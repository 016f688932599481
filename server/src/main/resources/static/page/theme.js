// Light or dark: the system's choice unless the reader made one. Not a module, so that it runs before the first paint.
(() => {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const order = ['auto', 'light', 'dark'];
  const words = { auto: 'as the system', light: 'light', dark: 'dark' };
  let chosen = remembered();

  function remembered() {
    try {
      const kept = localStorage.getItem('lockstep-theme');
      return order.includes(kept) ? kept : 'auto';
    } catch {
      return 'auto';
    }
  }

  function paint() {
    const dark = chosen === 'dark' || (chosen === 'auto' && system.matches);
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  }

  function label(button) {
    button.textContent = chosen[0].toUpperCase() + chosen.slice(1);
    button.setAttribute('aria-label', `Colours: ${words[chosen]}`);
    button.title = `Colours: ${words[chosen]}`;
  }

  function next(button) {
    chosen = order[(order.indexOf(chosen) + 1) % order.length];
    try {
      localStorage.setItem('lockstep-theme', chosen);
    } catch {
      // Then it lasts as long as the page.
    }
    paint();
    label(button);
  }

  paint();
  system.addEventListener('change', paint);
  document.addEventListener('DOMContentLoaded', () => {
    const button = document.getElementById('theme');
    label(button);
    button.addEventListener('click', () => next(button));
  });
})();
