import { byId, say, show } from './dom.js';
import { keepToken, server, token } from './server.js';

/** What a header can carry. */
const SENDABLE = /^[\x21-\x7e]+$/;

/** The form for the token, in the place of the panels while the server asks for one. */
export function startTokenForm(asked, given) {
  const form = byId('token-form');
  server.addEventListener('token', () => {
    if (!form.hidden) return;
    show(byId('panels'), false);
    show(form, true);
    show(byId('token-wrong'), token() !== null);
    say(byId('token-wrong'), 'The server does not know this token.');
    byId('token').focus();
    asked();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const value = byId('token').value.trim();
    if (!SENDABLE.test(value)) {
      say(byId('token-wrong'), 'This can\'t be the token: only ASCII letters, digits and signs can be sent, and no spaces.');
      show(byId('token-wrong'), true);
      return;
    }
    keepToken(value);
    byId('token').value = '';
    show(form, false);
    show(byId('panels'), true);
    given();
  });
}
