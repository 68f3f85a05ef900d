import {
  brandedHeaders,
  namesRestaurantInPath,
  type Operation,
  type Parameter,
  parametersOf,
} from '@servery/contract';

/** What the operations are called with: all of it is there. */
export interface Known {
  readonly url: string;
  readonly brand: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly userAccessType: string;
  /** Access tokens: of the partner, and of the back office. */
  readonly token: string;
  readonly office: string;
  /** Of the session of this person. */
  readonly cookie: string;
  readonly personGuid: string;
  readonly groupGuid: string;
  readonly restaurantGuid: string;
  readonly itemGuid: string;
  readonly partnerGuid: string;
  readonly endpointGuid: string;
  readonly deliveryGuid: string;
  readonly paymentUuid: string;
  /** Of an authorization that will be approved. */
  readonly payment: unknown;
  /** An order that can be placed, without a payment. */
  readonly order: { readonly checks: readonly { readonly selections: readonly unknown[] }[] };
  /** What was placed of it. */
  readonly placed: {
    readonly orderGuid: string;
    readonly checkGuid: string;
    readonly selectionGuid: string;
  };
}

/** How an operation was called, and what it answered. */
export interface Visit {
  readonly id: string;
  /** Its query. */
  readonly search: string;
  readonly status: number;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };

/** What is sent, by operation: whatever takes a body is in here. */
const bodies: Readonly<Record<string, (known: Known) => Pick<RequestInit, 'headers' | 'body'>>> = {
  'creditCards.authorize': ({ payment }) => json(payment),
  ...Object.fromEntries(
    ['orders.price', 'orders.place'].map((id) => [id, ({ order }: Known) => json(order)]),
  ),
  'orders.applicableDiscounts': (known) => json({ order: known.order }),
  'orders.selections.add': ({ order }) => json(order.checks[0]?.selections),
  'orders.discounts.add': ({ itemGuid }) => json([{ discount: { guid: itemGuid } }]),
  'orders.selectionDiscounts.add': ({ itemGuid }) => json([{ discount: { guid: itemGuid } }]),
  'orders.payments.add': ({ paymentUuid }) =>
    json([{ type: 'CREDIT', guid: paymentUuid, amount: 1 }]),
  'orders.payments.update': () => json({ tipAmount: 1 }),
  'orders.deliveryInfo.update': () => json({ deliveryState: 'DELIVERED' }),
  'orders.void': () => json({ selections: { voidAll: true }, payments: { voidAll: true } }),
  'stock.search': ({ itemGuid }) => json({ guids: [itemGuid] }),
  'stock.update': ({ itemGuid }) => json([{ guid: itemGuid, status: 'OUT_OF_STOCK' }]),
  'auth.login': ({ clientId, clientSecret, userAccessType }) =>
    json({ clientId, clientSecret, userAccessType }),
  'auth.token': (known) => form(known, { grant_type: 'client_credentials' }),
  'auth.introspect': (known) => form(known, { token: known.token }),
  'auth.revoke': (known) => form(known, { token: 'no such token' }),
};

function json(body: unknown): Pick<RequestInit, 'headers' | 'body'> {
  return { headers: JSON_TYPE, body: JSON.stringify(body) };
}

function form(
  { clientId, clientSecret }: Known,
  fields: Readonly<Record<string, string>>,
): Pick<RequestInit, 'headers' | 'body'> {
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  const headers = { ...FORM_TYPE, authorization: `Basic ${basic}` };
  return { headers, body: new URLSearchParams(fields).toString() };
}

/**
 * Calls an operation: as it is, with each of its query parameters, and for the page after the first
 * where there is one. `begin` is told each query before it is sent. Throws when nobody has said
 * what to send to it.
 */
export async function visit(
  operation: Operation,
  known: Known,
  begin: (search: string) => void,
): Promise<Visit[]> {
  const visits: Visit[] = [];
  const call = async (query: Readonly<Record<string, string>>) => {
    const search = new URLSearchParams(query).toString();
    begin(search);
    const answer = await ask(operation, known, search);
    visits.push({ id: operation.id, search, status: answer.status });
    return await nextPageOf(answer, known);
  };
  const queryParameters = parametersOf(operation.query);
  const needed = valuesOf(queryParameters.filter(({ required }) => required));
  const optional = queryParameters.filter(({ required, name }) => !required && name !== PAGE_TOKEN);
  for (const query of [{}, ...optional.map((parameter) => valuesOf([parameter]))]) {
    const next = await call({ ...needed, ...query });
    if (next !== null) await call({ ...needed, ...query, ...next });
  }
  return visits;
}

const PAGE_TOKEN = 'pageToken';

/** The values of the examples; pages are short, so that there is a second one. */
function valuesOf(parameters: readonly Parameter[]): Record<string, string> {
  return Object.fromEntries(
    parameters.map(({ name, example }) => [name, name === 'pageSize' ? '10' : String(example)]),
  );
}

async function ask(operation: Operation, known: Known, search: string): Promise<Response> {
  const { method, path, id } = operation;
  const target = pathOf(path, known) + (search === '' ? '' : `?${search}`);
  const body = operation.requestBody ? bodies[id]?.(known) : {};
  if (body === undefined) throw new Error(`nobody says what is sent to ${id}: add it to bodies`);
  const headers = { ...headersOf(operation, known), ...body.headers };
  return await fetch(known.url + target, { ...body, method, headers });
}

function headersOf(operation: Operation, known: Known): Record<string, string> {
  const { restaurantExternalId } = brandedHeaders(known.brand);
  const token = operation.interface === 'backOffice' ? known.office : known.token;
  if (operation.security === 'session') return { cookie: known.cookie };
  const isInHeader = operation.restaurant !== 'none' && !namesRestaurantInPath(operation);
  return {
    ...(operation.security === 'none' ? {} : { authorization: `Bearer ${token}` }),
    ...(isInHeader ? { [restaurantExternalId]: known.restaurantGuid } : {}),
  };
}

function pathOf(path: string, known: Known): string {
  const values: Readonly<Record<string, string>> = {
    merchantUuid: known.restaurantGuid,
    paymentUuid: known.paymentUuid,
    restaurantGUID: known.restaurantGuid,
    restaurantGuid: known.restaurantGuid,
    managementGroupGUID: known.groupGuid,
    managementGroupGuid: known.groupGuid,
    collection: 'menuItems',
    guid: path.startsWith('/orders/v2/orders/') ? known.placed.orderGuid : known.itemGuid,
    number: '1',
    clientId: known.clientId,
    personGuid: known.personGuid,
    requestId: '00000001-0000-7000-8000-000000000000',
    code: 'notFound',
    name: 'no-sandbox',
    file: 'stock.json',
    page: 'stock',
    partnerGuid: known.partnerGuid,
    endpointGuid: known.endpointGuid,
    deliveryGuid: known.deliveryGuid,
    ...known.placed,
    paymentGuid: known.paymentUuid,
  };
  return path.replace(/\{(\w+)\}/g, (_name, name) => {
    const value = values[name];
    if (value === undefined) throw new Error(`nobody says what {${name}} is: add it to pathOf`);
    return value;
  });
}

/** The query of the next page, which a header or the body names. */
async function nextPageOf(
  answer: Response,
  { brand }: Known,
): Promise<Record<string, string> | null> {
  const text = await answer.text();
  const told = answer.headers.get(brandedHeaders(brand).nextPageToken);
  if (told !== null) return { [PAGE_TOKEN]: told };
  const isJson = answer.headers.get('content-type')?.startsWith('application/json');
  if (answer.status !== 200 || !isJson || !text.startsWith('{')) return null;
  const { nextPageToken, nextCursor } = JSON.parse(text) as Record<string, string | undefined>;
  if (nextPageToken) return { [PAGE_TOKEN]: nextPageToken };
  return nextCursor ? { after: nextCursor } : null;
}
