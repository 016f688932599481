import { byId, say } from './dom.js';
import { token } from './server.js';

/** A line to copy that calls this server. */
export function curl(path, body) {
  const header = token() ? ' -H "Authorization: Bearer $TOKEN"' : '';
  return `curl -X POST ${location.origin}${path}${header} -H 'Content-Type: application/json' \\\n  -d '${JSON.stringify(body)}'`;
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
