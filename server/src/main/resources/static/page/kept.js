// What this tab keeps when the page is loaded again. Where the browser forbids storage, it lasts as long as the page.

const here = new Map();

export function recall(name) {
  try {
    return here.get(name) ?? sessionStorage.getItem(name);
  } catch {
    return null;
  }
}

export function keep(name, value) {
  here.set(name, value);
  try {
    sessionStorage.setItem(name, value);
  } catch {
    // Then it lasts as long as the page.
  }
}
