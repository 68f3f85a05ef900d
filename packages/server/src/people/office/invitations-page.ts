import { createHash } from 'node:crypto';
import type { HandlerOf } from '../../http/operation.ts';

const STYLE = `
body{font:16px/1.5 system-ui,sans-serif;max-width:28rem;margin:3rem auto;padding:0 1rem}
label{display:block;margin:1rem 0}
input{font:inherit;display:block;width:100%;box-sizing:border-box;padding:.4rem}
button{font:inherit;padding:.5rem 1rem}
[role=alert]{color:#a40000}
`;

/** After use, removes the token from the address, so that it stays in no browser history. */
const SCRIPT = `
const token = location.hash.slice(1);
const at = (id) => document.getElementById(id);
const say = (text) => { at('told').textContent = text; };
const post = async (name, body) => {
  const response = await fetch('invitations/' + name, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token, ...body }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.message);
  return answer;
};
const show = async () => {
  const invitation = await post('inspect', {});
  at('name').value = invitation.choosesEmail ? '' : invitation.name;
  at('email').value = invitation.email ?? '';
  at('email').readOnly = !invitation.choosesEmail;
  at('code').required = invitation.needsTotp;
  at('codeOf').hidden = !invitation.needsTotp;
  at('form').hidden = false;
};
at('form').addEventListener('submit', async (event) => {
  event.preventDefault();
  if (at('password').value !== at('again').value) return say('The passwords differ.');
  say('One moment.');
  const email = at('email').readOnly ? null : at('email').value;
  const totpCode = at('code').value || null;
  const body = { name: at('name').value, password: at('password').value, email, totpCode };
  try {
    const { person } = await post('accept', body);
    history.replaceState(null, '', location.pathname);
    at('form').remove();
    say('Welcome, ' + person.name + '. You are logged in; from now on log in as ' +
      person.email + '.');
  } catch (error) {
    say(error.message);
  }
});
if (token === '') say('The address is not whole: open the link as it was handed to you.');
else show().catch((error) => say(error.message));
`;

/**
 * Holds no secret, loads nothing, and runs only its own script, which the policy names by digest.
 */
export function invitationPageHandler({
  config: { brand },
}: {
  readonly config: { readonly brand: string };
}): HandlerOf<'backOffice.invitations.page'> {
  const answer = {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    },
    bytes: page(brand),
  };
  return async () => answer;
}

const POLICY = [
  "default-src 'none'",
  `script-src '${digest(SCRIPT)}'`,
  `style-src '${digest(STYLE)}'`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

function digest(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

function page(brand: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${brand}: choose a password</title>
<style>${STYLE}</style>
<h1>${brand} back office</h1>
<form id="form" hidden>
<p>Choose what you are called and a password of at least 12 characters.</p>
<label>Email address <input id="email" type="email" autocomplete="username" required></label>
<label>Name <input id="name" autocomplete="name" maxlength="100" required></label>
<label>Password
<input id="password" type="password" autocomplete="new-password" minlength="12" required></label>
<label>Password, once more
<input id="again" type="password" autocomplete="new-password" required></label>
<label id="codeOf" hidden>Code of your authenticator app, or a recovery code
<input id="code" autocomplete="one-time-code" maxlength="40"></label>
<button>Set password</button>
</form>
<p id="told" role="alert"></p>
<noscript><p>This page needs JavaScript. Without it, post {"token", "name", "password"} as JSON to
<code>invitations/accept</code> below this address; the token stands after the #.</p></noscript>
<script>${SCRIPT}</script>
</html>
`;
}
