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
    void nameThings(bar, forms, restaurant.value);
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

interface Group {
  readonly guid: string;
  readonly menuGroups: readonly Group[];
  readonly menuItems: readonly {
    readonly guid: string;
    readonly price: number | null;
    readonly modifierGroupReferences: readonly number[];
  }[];
}

const filled = new Map<HTMLTextAreaElement, string>();

/** Names things of the restaurant in bodies that nobody has changed: those of the examples exist nowhere. */
async function nameThings(bar: HTMLElement, forms: readonly HTMLFormElement[], restaurant: string) {
  const { item = '', group = '', diningOption = '' } = bar.dataset;
  const bodies = forms
    .flatMap((form) => [...form.querySelectorAll<HTMLTextAreaElement>('[data-kind="body"]')])
    .filter((body) => [item, group, diningOption].some((guid) => body.defaultValue.includes(guid)));
  if (bodies.length === 0 || restaurant === '') return;
  const found = await thingsOf(restaurant).catch(() => null);
  if (!found) return tellNamed(bar, false);
  const names: Record<string, string> = {
    [item]: found.item,
    [group]: found.group,
    [diningOption]: found.diningOption,
  };
  for (const body of bodies) {
    if (body.value !== (filled.get(body) ?? body.defaultValue)) continue;
    // No card has been authorized for the order.
    const own = JSON.parse(body.defaultValue, (key, value) =>
      key === 'payments' ? [] : (names[value] ?? value),
    );
    body.value = JSON.stringify(own, null, 2);
    filled.set(body, body.value);
  }
  tellNamed(bar, true);
}

function tellNamed(bar: HTMLElement, isFound: boolean): void {
  const told = bar.querySelector('#named');
  if (!told) return;
  told.textContent = isFound
    ? 'The bodies name an item of this restaurant.'
    : 'Replace the GUIDs in the bodies: they are examples.';
}

/** An item that can be ordered as it is, and how. Null if there is none. */
async function thingsOf(restaurant: string) {
  const headers = {
    authorization: `Bearer ${await tokenOf('partner')}`,
    [restaurantHeader]: restaurant,
  };
  const [{ menus }, listed, options] = await Promise.all([
    ask<{ menus: { menuGroups: Group[] }[] }>('/menus/v2/menus', { headers }),
    ask<{ guid: string }[]>('/stock/v1/inventory', { headers }),
    ask<{ guid: string; behavior: string }[]>('/config/v2/diningOptions', { headers }),
  ]);
  const limited = new Set(listed.map(({ guid }) => guid));
  const below = (groups: readonly Group[]): Group[] =>
    groups.flatMap((each) => [each, ...below(each.menuGroups)]);
  const [sold] = below(menus.flatMap(({ menuGroups }) => menuGroups)).flatMap(
    ({ guid: group, menuItems }) =>
      menuItems
        .filter((each) => each.price && each.modifierGroupReferences.length === 0)
        .filter(({ guid }) => !limited.has(guid))
        .map(({ guid }) => ({ item: guid, group })),
  );
  const takeOut = options.find(({ behavior }) => behavior === 'TAKE_OUT');
  return sold && takeOut ? { ...sold, diningOption: takeOut.guid } : null;
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
