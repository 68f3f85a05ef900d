import {
  brandedHeaders,
  csrfHeaderName,
  type Operation,
  restaurantParameters,
  sessionCookieName,
} from '@servery/contract';

/** A request that an example makes, in the words of the contract's examples. */
export interface ExampleRequest {
  readonly operation: Operation;
  readonly baseUrl: string;
  readonly brand: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The required ones. */
  readonly query: Readonly<Record<string, unknown>>;
  /** Null if the restaurant isn't named in a header. */
  readonly restaurant: string | null;
  readonly contentType: string | null;
  readonly body: unknown;
}

export const exampleLanguages = ['curl', 'TypeScript', 'Python'] as const;

export type ExampleLanguage = (typeof exampleLanguages)[number];

export const exampleIn: Readonly<Record<ExampleLanguage, (request: ExampleRequest) => string>> = {
  curl: curlExample,
  TypeScript: typeScriptExample,
  Python: pythonExample,
};

const FORM = 'application/x-www-form-urlencoded';

/** The path with its parameters, and the query. */
function addressOf({ operation, params, query }: ExampleRequest): string {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(String(params[name])),
  );
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, String(value)]),
  );
  return search.size === 0 ? path : `${path}?${search}`;
}

function headersOf(request: ExampleRequest, token: string): [name: string, value: string][] {
  const { operation, brand, restaurant, contentType } = request;
  const isChange = operation.method !== 'GET';
  return [
    ...(operation.security === 'bearer' ? [pair('Authorization', `Bearer ${token}`)] : []),
    ...(operation.security === 'session' ? [pair('Cookie', `${sessionCookieName}=…`)] : []),
    ...(operation.security === 'session' && isChange ? [pair(csrfHeaderName, '…')] : []),
    ...(restaurant === null ? [] : [pair(brandedHeaders(brand).restaurantExternalId, restaurant)]),
    ...(contentType === null ? [] : [pair('Content-Type', contentType)]),
  ];
}

const pair = (name: string, value: string): [string, string] => [name, value];

function textOf({ contentType, body }: ExampleRequest): string {
  return contentType === FORM
    ? String(new URLSearchParams(body as Record<string, string>))
    : JSON.stringify(body, null, 2);
}

function curlExample(request: ExampleRequest): string {
  const { operation, baseUrl, contentType } = request;
  const { method } = operation;
  const headers = headersOf(request, '$TOKEN').map(
    // A shell replaces the token between double quotes only.
    ([name, value]) =>
      `-H ${value.includes('$') ? `"${name}: ${value}"` : quoted(`${name}: ${value}`)}`,
  );
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(`${baseUrl}${addressOf(request)}`)}`,
    ...(isFormOfClient(operation) ? ['-u "$CLIENT_ID:$CLIENT_SECRET"'] : []),
    ...headers,
    ...(contentType === null ? [] : [`-d ${quoted(textOf(request))}`]),
  ].join(' \\\n  ');
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

const isFormOfClient = ({ path }: Operation) => path.startsWith('/oauth/');

/** Functions of the client that return all pages as they are read. */
const WALKED =
  /^(configuration\..+\.list|partners\.connectedRestaurants\.list|orders\.listBulk|platform\.(changes|events)\.list)$/;
const TREE = /^(configuration|menus|orders|partners|platform|restaurants|stock)\./;

function typeScriptExample(request: ExampleRequest): string {
  const { operation, baseUrl, restaurant } = request;
  const { id } = operation;
  if (operation.interface === 'backOffice') return officeExample(request);
  if (id === 'creditCards.authorize') return paymentExample(request);
  if (!TREE.test(id) || id === 'platform.events.stream') return fetchExample(request);
  const place = restaurant ?? filledOf(request);
  const made = [
    "import { Servery } from '@servery/client';",
    '',
    'const servery = new Servery({',
    `  baseUrl: ${literal(baseUrl)},`,
    '  clientId,',
    '  clientSecret,',
    ...(place === null ? [] : [`  restaurant: ${literal(place)},`]),
    '});',
  ];
  const params = Object.entries(request.params).filter(
    ([name]) => !restaurantParameters.includes(name),
  );
  const input = Object.fromEntries([...params, ...Object.entries(request.query)]);
  const given = [
    ...(request.contentType === null ? [] : [literal(request.body)]),
    ...(Object.keys(input).length === 0 ? [] : [literal(input)]),
  ];
  const call = `servery.${id}(${given.join(', ')})`;
  const lines = WALKED.test(id)
    ? [`for await (const item of ${call}) {`, '  console.log(item);', '}']
    : [`const answer = await ${call};`];
  return [...made, ...lines].join('\n');
}

function filledOf({ params }: ExampleRequest): string | null {
  const name = restaurantParameters.find((each) => each in params);
  return name === undefined ? null : String(params[name]);
}

function paymentExample(request: ExampleRequest): string {
  const { amount, tipAmount, requestMetadata } = request.body as {
    readonly amount: number;
    readonly tipAmount: number;
    readonly requestMetadata: { readonly guestIdentifier: string; readonly originIPAddr: string };
  };
  return `import { Servery } from '@servery/client';

const servery = new Servery({
  baseUrl: ${literal(request.baseUrl)},
  clientId,
  clientSecret,
  restaurant: ${literal(request.params.merchantUuid)},
});
const answer = await servery.payments.authorize({
  paymentUuid: ${literal(request.params.paymentUuid)},
  amount: ${amount},
  tipAmount: ${tipAmount},
  card: { number, expMonth: '12', expYear: '30', cvv, postalCode: '60607', country: 'USA' },
  guest: {
    identifier: ${literal(requestMetadata.guestIdentifier)},
    ipAddress: ${literal(requestMetadata.originIPAddr)},
  },
});
if (answer.outcome === 'approved') console.log('The money is on hold.');`;
}

function officeExample(request: ExampleRequest): string {
  const { operation, baseUrl, params, query, body, contentType } = request;
  const parts = Object.entries({
    ...(Object.keys(params).length > 0 && { params }),
    ...(Object.keys(query).length > 0 && { query }),
    ...(contentType !== null && { body }),
  });
  const given = parts.length === 0 ? '' : `, ${literal(Object.fromEntries(parts))}`;
  const credentials =
    operation.security === 'bearer' ? '\n  credentials: { clientId, clientSecret },' : '';
  return `import { Client } from '@servery/client/back-office';

const client = new Client({
  baseUrl: ${literal(baseUrl)},${credentials}
});
const answer = await client.call(${literal(operation.id)}${given});`;
}

/** What the client does by itself, or has no function for. */
function fetchExample(request: ExampleRequest): string {
  const { operation, baseUrl, contentType } = request;
  const headers = headersOf(request, TOKEN).map(
    ([name, value]) => `    ${literal(name)}: ${withToken(value)},`,
  );
  const options = [
    ...(operation.method === 'GET' ? [] : [`  method: ${literal(operation.method)},`]),
    ...(headers.length === 0 ? [] : ['  headers: {', ...headers, '  },']),
    ...(contentType === null ? [] : [`  body: ${bodyLiteral(request)},`]),
  ];
  const given = options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`;
  const read = operation.mediaType === 'application/json' ? 'json' : 'text';
  return `const response = await fetch(${literal(`${baseUrl}${addressOf(request)}`)}${given});
console.log(response.status, await response.${read}());`;
}

function bodyLiteral({ contentType, body }: ExampleRequest): string {
  return contentType === FORM
    ? `new URLSearchParams(${literal(body, 1)})`
    : `JSON.stringify(${literal(body, 1)})`;
}

/** Where the token of the example goes. */
const TOKEN = '<token>';

function withToken(value: string): string {
  return value.includes(TOKEN) ? `\`${value.replace(TOKEN, `$\{token}`)}\`` : literal(value);
}

/** A value as people write it in TypeScript: no quotes around names, single ones around texts. */
function literal(value: unknown, depth = 0): string {
  if (typeof value === 'string') {
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = '  '.repeat(depth + 1);
  const end = '  '.repeat(depth);
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    return `[\n${value.map((each) => `${inner}${literal(each, depth + 1)},\n`).join('')}${end}]`;
  }
  const fields = Object.entries(value).map(
    ([name, each]) =>
      `${/^[A-Za-z_]\w*$/.test(name) ? name : literal(name)}: ${literal(each, depth + 1)}`,
  );
  const short = `{ ${fields.join(', ')} }`;
  if (fields.length === 0) return '{}';
  if (depth === 0 && short.length <= 60 && !short.includes('\n')) return short;
  return `{\n${fields.map((field) => `${inner}${field},\n`).join('')}${end}}`;
}

function pythonExample(request: ExampleRequest): string {
  const { operation, baseUrl, contentType, body } = request;
  const headers = headersOf(request, TOKEN).map(([name, value]) => {
    const text = value.includes(TOKEN)
      ? `f"${value.replace(TOKEN, '{token}')}"`
      : JSON.stringify(value);
    return `        ${JSON.stringify(name)}: ${text},`;
  });
  const isForm = contentType === FORM;
  const data = isForm
    ? `urllib.parse.urlencode(${python(body, 1)}).encode()`
    : `json.dumps(${python(body, 1)}).encode()`;
  const isJson = operation.mediaType === 'application/json';
  const imports = [
    ...(isJson || (contentType !== null && !isForm) ? ['import json'] : []),
    ...(isForm ? ['import urllib.parse'] : []),
    'import urllib.request',
  ];
  return [
    ...imports,
    '',
    'request = urllib.request.Request(',
    `    ${JSON.stringify(`${baseUrl}${addressOf(request)}`)},`,
    ...(operation.method === 'GET' ? [] : [`    method=${JSON.stringify(operation.method)},`]),
    ...(headers.length === 0 ? [] : ['    headers={', ...headers, '    },']),
    ...(contentType === null ? [] : [`    data=${data},`]),
    ')',
    'with urllib.request.urlopen(request) as response:',
    isJson ? '    print(json.load(response))' : '    print(response.read().decode())',
  ].join('\n');
}

const PYTHON_WORDS: Readonly<Record<string, string>> = {
  null: 'None',
  true: 'True',
  false: 'False',
};

function python(value: unknown, depth: number): string {
  const text = JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return PYTHON_WORDS[text] ?? text;
  const inner = '    '.repeat(depth + 1);
  const end = '    '.repeat(depth);
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((each) => python(each, depth + 1))
    : Object.entries(value).map(
        ([name, each]) => `${JSON.stringify(name)}: ${python(each, depth + 1)}`,
      );
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (parts.length === 0) return `${open}${close}`;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${end}${close}`;
}
