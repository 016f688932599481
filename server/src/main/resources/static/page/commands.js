import { byId, say } from './dom.js';
import { token } from './server.js';

/** A line to copy that calls this server. */
export function curl(path, body) {
  const header = token() ? ' -H "Authorization: Bearer $LOCKSTEP_TOKEN"' : '';
  return `curl -X POST ${location.origin}${path}${header} -H 'Content-Type: application/json' \\\n  -d '${JSON.stringify(body)}'`;
}

/** A key to begin with, of the kinds that the server was configured with. One that was not takes any. */
export function exampleKey({ kindsDeclared, kinds }) {
  if (!kindsDeclared || kinds.length === 0) return 'user:u1/account:a1';
  const path = (kind) => {
    const part = `${kind.prefix}:${kind.prefix[0]}1`;
    const parent = kinds.find((each) => each.prefix === kind.parent);
    return parent ? `${path(parent)}/${part}` : part;
  };
  return path(kinds.find((kind) => kind.parent) ?? kinds[0]);
}

/** Lets a button copy the text of an element. */
export function copying(button, source) {
  byId(button).addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(byId(source).textContent);
      say(byId(button), 'Copied');
    } catch {
      getSelection().selectAllChildren(byId(source));
      say(byId(button), 'Selected');
    }
    setTimeout(() => say(byId(button), 'Copy'), 2000);
  });
}
