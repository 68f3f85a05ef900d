import {
  brandedHeaders,
  exampleOf,
  interfaces,
  machineClientAccessType,
  namesRestaurantInHeader,
  type Operation,
  operationById,
  operations,
  parametersOf,
  restaurantParameters,
} from '@servery/contract';

/** What the variables of a collection begin with. */
export interface CollectionStart {
  readonly brand: string;
  readonly baseUrl: string;
  readonly clientId: string;
  readonly restaurant: string;
}

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
const FORM = 'application/x-www-form-urlencoded';
const KEEP_TOKEN = [
  "pm.test('logged in', () => pm.response.to.have.status(200));",
  "pm.collectionVariables.set('accessToken', pm.response.json().token.accessToken);",
];

/** A Postman collection (v2.1) of all operations for partners. Its first request logs in. */
export function postmanCollection({ brand, ...values }: CollectionStart): object {
  const login = operationById('auth.login');
  const others = operations.filter(
    (operation) => operation.interface !== 'backOffice' && operation !== login,
  );
  const folders = Map.groupBy(others, (operation) => operation.interface);
  const variables = { ...values, clientSecret: '', accessToken: '' };
  return {
    info: {
      name: brand,
      description: 'Set the variables clientId, clientSecret and restaurant. Then send "Log in".',
      schema: SCHEMA,
    },
    auth: { type: 'bearer', bearer: [secretText('token', '{{accessToken}}')] },
    variable: Object.entries(variables).map(([key, value]) => ({ key, value, type: 'string' })),
    item: [
      {
        ...itemOf(login, brand),
        name: 'Log in',
        event: [{ listen: 'test', script: { type: 'text/javascript', exec: KEEP_TOKEN } }],
      },
      ...[...folders].map(([owner, own]) => ({
        name: interfaces[owner].title,
        description: interfaces[owner].description,
        item: own.map((operation) => itemOf(operation, brand)),
      })),
    ],
  };
}

function itemOf(operation: Operation, brand: string) {
  const { method, summary, description, requestBody } = operation;
  const [contentType] = requestBody?.contentTypes ?? [];
  const restaurant = brandedHeaders(brand).restaurantExternalId;
  return {
    name: summary,
    request: {
      method,
      description,
      ...authOf(operation),
      header: [
        ...(namesRestaurantInHeader(operation) ? [pair(restaurant, '{{restaurant}}')] : []),
        ...(contentType ? [pair('Content-Type', contentType)] : []),
      ],
      url: urlOf(operation),
      ...(contentType && { body: bodyOf(operation, contentType, brand) }),
    },
    response: [],
  };
}

/** Bearer operations have the token of the collection. */
function authOf({ security, path }: Operation): object {
  if (security !== 'none') return {};
  if (!path.startsWith('/oauth/')) return { auth: { type: 'noauth' } };
  const basic = [
    secretText('username', '{{clientId}}'),
    secretText('password', '{{clientSecret}}'),
  ];
  return { auth: { type: 'basic', basic } };
}

function urlOf({ path, params, query }: Operation) {
  const written = path.replaceAll(/\{(\w+)\}/g, ':$1');
  const given = parametersOf(query).map(({ name, example, description, required }) => ({
    ...pair(name, String(example)),
    description,
    disabled: !required,
  }));
  const sent = given.filter(({ disabled }) => !disabled);
  const search = sent.map(({ key, value }) => `${key}=${encodeURIComponent(value)}`).join('&');
  return {
    raw: `{{baseUrl}}${written}${search === '' ? '' : `?${search}`}`,
    host: ['{{baseUrl}}'],
    path: written.split('/').slice(1),
    query: given,
    variable: parametersOf(params).map(({ name, example, description }) => ({
      ...pair(name, restaurantParameters.includes(name) ? '{{restaurant}}' : String(example)),
      description,
    })),
  };
}

function bodyOf({ id, requestBody }: Operation, contentType: string, brand: string) {
  const credentials = { clientId: '{{clientId}}', clientSecret: '{{clientSecret}}' };
  const body: unknown =
    id === 'auth.login'
      ? { ...credentials, userAccessType: machineClientAccessType(brand) }
      : requestBody && exampleOf(requestBody, brand);
  if (contentType === FORM) {
    const fields = Object.entries(body as Readonly<Record<string, string>>);
    return { mode: 'urlencoded', urlencoded: fields.map(([key, value]) => pair(key, value)) };
  }
  const options = { raw: { language: 'json' } };
  return { mode: 'raw', raw: JSON.stringify(body, null, 2), options };
}

const pair = (key: string, value: string) => ({ key, value });
const secretText = (key: string, value: string) => ({ ...pair(key, value), type: 'string' });
