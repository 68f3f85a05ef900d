import { parametersOf, restaurantParameters } from '@servery/contract';
import type { ExampleRequest } from './examples.ts';
import { type Html, html } from './html.ts';

/** A form whose script sends the request. Null for what only a person's session may do. */
export function tryItForm(request: ExampleRequest): Html | null {
  const { operation, restaurant, contentType, body, params } = request;
  const { id, security, interface: owner, method, path, query } = operation;
  if (security === 'session') {
    return html`<p class="soft">To try this, you need the session of a person: use the console.</p>`;
  }
  const account = security === 'none' ? '' : owner === 'backOffice' ? 'operator' : 'partner';
  // What is optional stays empty.
  const input = (kind: string, name: string, value: string, label: string) =>
    html`<label>${label}<input name="${name}" data-kind="${kind}" value="${value}"${value !== '' && restaurantParameters.includes(name) && restaurantMark} autocomplete="off" spellcheck="false"></label>`;
  return html`<details class="try"><summary>Try it</summary>
<form data-method="${method}" data-path="${path}" data-account="${account}"${contentType !== null && html` data-type="${contentType}"`}>
${Object.entries(params).map(([name, value]) => input('path', name, String(value), name))}
${parametersOf(query).map(({ name, required, example }) => input('query', name, required ? String(example) : '', `${name}${required ? '' : ' (optional)'}`))}
${restaurant !== null && html`<label>Restaurant<input name="restaurant" data-kind="restaurant" value="${restaurant}" data-restaurant autocomplete="off" spellcheck="false"></label>`}
${contentType !== null && html`<label>Body<textarea name="body" data-kind="body" rows="8" spellcheck="false">${JSON.stringify(body, null, 2)}</textarea></label>`}
${id === 'creditCards.authorize' && html`<p class="soft">Create encryptedCardData and its keyId with <code>servery encrypt</code>.</p>`}
${account !== '' && html`<p>As <strong class="sender">…</strong>. <a href="#try-it">Choose another</a></p>`}
<p><button type="submit">Send</button></p>
<div class="answer" role="status"></div>
</form></details>`;
}

const restaurantMark = html` data-restaurant`;
