const STEPS = { ArrowRight: 1, ArrowLeft: -1 };

/** Tabs whose choice is the address's hash. `chosen(name)` is called with the one that is seen from now on. */
export function startTabs(list, chosen) {
  const tabs = [...list.querySelectorAll('[role=tab]')];
  const nameOf = (tab) => tab.hash.slice(1);

  function choose() {
    const name = location.hash.slice(1);
    if (name === 'main' && list.querySelector('[aria-selected=true]')) return;
    const tab = tabs.find((each) => nameOf(each) === name) ?? tabs[0];
    for (const each of tabs) {
      const selected = each === tab;
      each.setAttribute('aria-selected', selected);
      each.tabIndex = selected ? 0 : -1;
      document.getElementById(each.getAttribute('aria-controls')).hidden = !selected;
    }
    list.scrollLeft = tab.offsetLeft - (list.clientWidth - tab.offsetWidth) / 2;
    scrollTo(0, 0);
    chosen(nameOf(tab));
  }

  function walk(event) {
    const at = tabs.indexOf(document.activeElement);
    if (at < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    const last = tabs.length - 1;
    const to = { Home: 0, End: last }[event.key] ?? (event.key in STEPS ? (at + STEPS[event.key] + tabs.length) % tabs.length : -1);
    if (event.key === ' ') tabs[at].click();
    else if (to < 0) return;
    else {
      tabs[to].focus();
      tabs[to].click();
    }
    event.preventDefault();
  }

  list.addEventListener('keydown', walk);
  addEventListener('hashchange', choose);
  choose();
}
