const { up = './', restaurantHeader = '', requestHeader = '' } = document.body.dataset;
const base = new URL(up, location.href).href.replace(/\/$/, '');

interface Token {
  readonly accessToken: string;
}

interface Place {
  readonly guid: string;
  readonly name: string;
  readonly archived?: boolean;
}

/** In memory only: a reload signs in again. */
const tokens = new Map<string, Promise<string>>();

/** Makes the forms send what is in them, as one of the sandbox's own accounts. */
export function startTryIt(): void {
  const bar = document.querySelector<HTMLElement>('#try-it');
  const account = document.querySelector<HTMLSelectElement>('#account');
  const restaurant = document.querySelector<HTMLSelectElement>('#restaurant');
  if (!bar || !account || !restaurant) return;
  const forms = [...document.querySelectorAll<HTMLFormElement>('.try form')];
  const first = forms.find((form) => form.dataset.account)?.dataset.account;
  bar.hidden = !first;
  if (first) account.value = first;
  const choose = () => {
    for (const input of document.querySelectorAll<HTMLInputElement>('input[data-restaurant]')) {
      if (restaurant.value !== '') input.value = restaurant.value;
    }
    for (const form of forms) tellSender(form, account, restaurant);
  };
  restaurant.addEventListener('change', choose);
  document.addEventListener('input', () => {
    for (const form of forms) tellSender(form, account, restaurant);
  });
  account.addEventListener('change', () => {
    isAsked = true;
    void readRestaurants(account, restaurant).then(choose);
  });
  for (const form of forms) {
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void send(form, account.value);
    });
  }
  // Nobody signs in before somebody wants to try something.
  let isAsked = !first;
  document.addEventListener(
    'toggle',
    ({ target }) => {
      const isTry = target instanceof HTMLDetailsElement && target.matches('.try') && target.open;
      if (!isTry || isAsked) return;
      isAsked = true;
      void readRestaurants(account, restaurant).then(choose);
    },
    true,
  );
}

/** As whom a form sends, and for which restaurant, in its own place: the choice is far above it. */
function tellSender(
  form: HTMLFormElement,
  account: HTMLSelectElement,
  restaurant: HTMLSelectElement,
): void {
  const told = form.querySelector('.sender');
  const [name = ''] = [account.selectedOptions[0]?.text];
  const given = form.querySelector<HTMLInputElement>('input[data-restaurant]')?.value;
  const place = [...restaurant.options].find(({ value }) => value === given)?.text ?? given;
  if (told) told.textContent = place ? `${name}, for ${place}` : name;
}

async function readRestaurants(account: HTMLSelectElement, restaurant: HTMLSelectElement) {
  const told = document.querySelector('#signed-in');
  if (!told) return;
  const name = account.selectedOptions[0]?.text ?? '';
  told.textContent = 'Signing in…';
  try {
    await tokenOf(account.value);
    const places = await restaurantsOf(account.value);
    restaurant.replaceChildren(...places.map(({ name, guid }) => new Option(name, guid)));
    told.textContent = `Signed in as ${name}.`;
  } catch (error) {
    told.textContent = `Can't sign in as ${name}: ${error instanceof Error ? error.message : error}`;
  }
}

function tokenOf(account: string): Promise<string> {
  const known = tokens.get(account);
  if (known) return known;
  const asked = ask<Token>('/backoffice/v1/sessions/demo/tokens', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ account }),
  }).then(({ accessToken }) => accessToken);
  tokens.set(account, asked);
  asked.catch(() => tokens.delete(account));
  return asked;
}

const OF_PARTNERS = ['partner', 'readOnly', 'other'];

/** The first ones: enough to try something. Not every account may list those that it reaches. */
async function restaurantsOf(account: string): Promise<readonly Place[]> {
  if (!OF_PARTNERS.includes(account)) {
    const headers = { authorization: `Bearer ${await tokenOf('operator')}` };
    const { results } = await ask<{ results: Place[] }>('/backoffice/v1/restaurants', { headers });
    return results.filter(({ archived }) => !archived);
  }
  const headers = { authorization: `Bearer ${await tokenOf(account)}` };
  const list = await ask<unknown>('/partners/v1/connectedRestaurants', { headers });
  const [{ results }] = [list].flat() as [
    { results: { restaurantGuid: string; restaurantName: string; deleted: boolean }[] },
  ];
  return results
    .filter(({ deleted }) => !deleted)
    .map(({ restaurantGuid: guid, restaurantName: name }) => ({ guid, name }));
}

async function ask<Answer>(path: string, options: RequestInit): Promise<Answer> {
  const response = await fetch(`${base}${path}`, { ...options, credentials: 'omit' });
  const answer = (await response.json()) as Answer & { readonly message?: string };
  if (!response.ok)
    throw new Error(answer.message ?? `the platform responded with ${response.status}.`);
  return answer;
}

/** Streams end when somebody stops them. */
const underWay = new Map<HTMLFormElement, AbortController>();

async function send(form: HTMLFormElement, account: string): Promise<void> {
  const { method = 'GET', type } = form.dataset;
  const told = form.querySelector<HTMLElement>('.answer');
  const button = form.querySelector('button');
  if (!told || !button) return;
  const running = underWay.get(form);
  if (running) return running.abort();
  const stopping = new AbortController();
  underWay.set(form, stopping);
  button.textContent = 'Stop';
  try {
    const headers: Record<string, string> = {};
    const restaurant = valuesOf(form, 'restaurant')[0]?.[1];
    if (restaurant) headers[restaurantHeader] = restaurant;
    if (type) headers['content-type'] = type;
    if (form.dataset.account) headers.authorization = `Bearer ${await tokenOf(account)}`;
    const body = type ? bodyOf(form, type) : null;
    const response = await fetch(addressOf(form), {
      ...{ method, headers, body, signal: stopping.signal },
      // The session of a person on another page has no part in this.
      credentials: 'omit',
      cache: 'no-store',
    });
    // The clock of the sandbox may have passed its end.
    if (response.status === 401) tokens.delete(account);
    await show(told, response);
  } catch (error) {
    const isStopped = stopping.signal.aborted;
    if (!isStopped) told.replaceChildren(paragraph(`No response: ${String(error)}`));
  } finally {
    underWay.delete(form);
    button.textContent = 'Send';
  }
}

function addressOf(form: HTMLFormElement): string {
  const params = Object.fromEntries(valuesOf(form, 'path'));
  const path = (form.dataset.path ?? '').replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  const query = valuesOf(form, 'query').filter(([, value]) => value !== '');
  return `${base}${path}${query.length === 0 ? '' : `?${new URLSearchParams(query)}`}`;
}

/** A form is written as JSON, too, as in the examples. */
function bodyOf(form: HTMLFormElement, type: string): string {
  const text = valuesOf(form, 'body')[0]?.[1] ?? '';
  return type.includes('json') ? text : String(new URLSearchParams(JSON.parse(text)));
}

function valuesOf(form: HTMLFormElement, kind: string): [string, string][] {
  const fields = form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    `[data-kind="${kind}"]`,
  );
  return [...fields].map(({ name, value }) => [name, value]);
}

/** As it comes: a stream has no end. */
async function show(told: HTMLElement, response: Response): Promise<void> {
  const head = paragraph(`${response.status} ${response.statusText}`);
  const id = response.headers.get(requestHeader);
  const output = document.createElement('pre');
  output.tabIndex = 0;
  output.setAttribute('aria-label', 'Response body');
  const link = document.createElement('a');
  if (id) {
    link.href = `${base}/console/requests/${id}`;
    link.textContent = 'This request in the console';
  }
  told.replaceChildren(head, ...(id ? [link] : []), output);
  told.scrollIntoView({ block: 'nearest' });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    text += part.value;
    output.textContent = text.slice(-SHOWN_CHARACTERS);
  }
  output.textContent = pretty(text).slice(0, SHOWN_CHARACTERS);
}

const SHOWN_CHARACTERS = 100_000;

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function paragraph(text: string): HTMLParagraphElement {
  const made = document.createElement('p');
  made.textContent = text;
  return made;
}
