import {
  brandedHeaders,
  csrfHeaderName,
  type JsonSchema,
  namesRestaurantInHeader,
  type Operation,
  parametersOf,
  restaurantParameters,
  scopeGrants,
} from '@servery/contract';
import type { RateLimits } from '../pipeline/rate-limit.ts';
import { type ExampleRequest, exampleIn, exampleLanguages } from './examples.ts';
import { type Html, html } from './html.ts';
import { fieldItem, fieldsOf, typeOf } from './schema-view.ts';
import { tryItForm } from './try-it.ts';

export interface ViewOptions {
  readonly brand: string;
  readonly baseUrl: string;
  readonly isSandbox: boolean;
  readonly rateLimits: RateLimits;
  /** What examples are about; null for the one of the contract, which exists nowhere. */
  readonly restaurant: string | null;
}

export interface Media {
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

interface Described {
  readonly description?: string;
  readonly headers?: Readonly<Record<string, JsonSchema>>;
  readonly content?: Readonly<Record<string, Media>>;
}

/** An operation of an OpenAPI document, and what it refers to. */
export interface DescribedOperation {
  readonly requestBody?: { readonly description: string } & Described;
  readonly responses: Readonly<Record<string, Described>>;
}

export interface Components {
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  readonly responses: Readonly<Record<string, Described>>;
  readonly headers: Readonly<Record<string, { readonly description: string }>>;
  readonly parameters: Readonly<Record<string, { readonly example: string }>>;
}

export function operationSection(
  operation: Operation,
  described: DescribedOperation,
  components: Components,
  options: ViewOptions,
): Html {
  const { id, method, path, summary, description } = operation;
  const request = exampleRequest(operation, described, components, options);
  return html`<section class="operation" id="${id}">
<h2><a href="#${id}">${summary}</a></h2>
<p class="line"><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></p>
<p>${description}</p>
<dl class="about">
${facts(operation, options).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
</dl>
${parameterList(operation, options)}
${requestView(described)}
${examplesView(request)}
${options.isSandbox && tryItForm(request)}
${responsesView(described, components)}
</section>`;
}

type Fact = [name: string, value: Html | string];

function facts(operation: Operation, options: ViewOptions): Fact[] {
  const { id, restaurant, heldFor, isForPartners, isForSandbox, isHiddenInProduction } = operation;
  const isOnlySandbox = isForSandbox || isHiddenInProduction;
  return [
    ['Operation', html`<code>${id}</code>`],
    ['Caller', callerOf(operation)],
    ['Scope', scopeOf(operation)],
    ...(heldFor ? [['Held for', `The ${heldFor} as a whole, or the platform.`] as Fact] : []),
    ...(isForPartners ? [['Accounts', 'Only accounts of the type PARTNER.'] as Fact] : []),
    ...(isOnlySandbox ? [['Where', 'Only in a sandbox.'] as Fact] : []),
    ...(restaurant === 'none' ? [] : [['Restaurant', restaurantRule(operation, options)] as Fact]),
    ['Rate limit', rateLimitOf(operation, options)],
  ];
}

function callerOf({ security, interface: owner, path }: Operation): string {
  if (security === 'session') return 'A person who is logged in.';
  if (security === 'bearer') {
    return owner === 'backOffice'
      ? 'A BACK_OFFICE account with its token, or a person who is logged in.'
      : 'A PARTNER or CUSTOMER account with its token.';
  }
  return path.startsWith('/oauth/')
    ? 'An account with its client id and secret.'
    : 'Anybody. No token is needed.';
}

function scopeOf({ scope, orScope }: Operation): Html | string {
  if (!scope) return 'None.';
  const words = html`<code>${scope}</code>: ${scopeGrants[scope]}`;
  return orScope ? html`${words} <code>${orScope}</code> is enough, too.` : words;
}

const RULES: Readonly<Record<Exclude<Operation['restaurant'], 'none'>, string>> = {
  header: 'Named in the header HEADER.',
  headerArchivedAllowed: 'Named in the header HEADER. It may be archived.',
  headerOrOrder: "Named in the header HEADER. Without it, the order's restaurant counts.",
  merchant: 'Named in the path, and again in the header HEADER.',
  merchantInPath: 'Named in the path.',
  restaurantInPath: 'Named in the path.',
};

function restaurantRule({ restaurant }: Operation, { brand }: ViewOptions): string {
  if (restaurant === 'none') return '';
  return RULES[restaurant].replace('HEADER', brandedHeaders(brand).restaurantExternalId);
}

function rateLimitOf(operation: Operation, { rateLimits }: ViewOptions): string {
  if (!operation.statuses.includes(429)) return 'None.';
  const { perSecond, perQuarterHour, ofOperations } = rateLimits;
  const [second, quarter] = [perSecond, perQuarterHour].map((each) => each.toLocaleString('en-US'));
  const by = operation.restaurant === 'none' ? 'IP address' : 'account and restaurant';
  const own = ofOperations?.[operation.id];
  const further = own === undefined ? '' : ` This operation: ${own} per second.`;
  return `${second} requests per second and ${quarter} per 15 minutes, for each ${by}.${further}`;
}

function parameterList(operation: Operation, { brand }: ViewOptions): Html | null {
  const { params, query, statuses } = operation;
  const isRestaurantNeeded = operation.restaurant !== 'headerOrOrder';
  const header = brandedHeaders(brand).restaurantExternalId;
  const text = { type: 'string' };
  const rows = [
    ...parametersOf(params).map((each) => fieldItem({ ...each, note: 'in the path' })),
    ...parametersOf(query).map((each) =>
      fieldItem({ ...each, note: `in the query${each.required ? '' : ', optional'}` }),
    ),
    ...(namesRestaurantInHeader(operation)
      ? [
          fieldItem({
            name: header,
            note: `header${isRestaurantNeeded ? '' : ', optional'}`,
            schema: { ...text, format: 'uuid' },
            description: 'The GUID of the restaurant that the request is for.',
          }),
        ]
      : []),
    ...(operation.security === 'session' && operation.method !== 'GET'
      ? [
          fieldItem({
            name: csrfHeaderName,
            note: 'header',
            schema: text,
            description: 'The csrfToken of the session.',
          }),
        ]
      : []),
    ...(statuses.includes(304)
      ? [
          fieldItem({
            name: 'If-None-Match',
            note: 'header, optional',
            schema: text,
            description: 'The ETag of an earlier response. Unchanged content is a 304.',
          }),
        ]
      : []),
  ];
  if (rows.length === 0) return null;
  return html`<h3>Parameters</h3><dl class="fields">${rows}</dl>`;
}

function requestView({ requestBody }: DescribedOperation): Html | null {
  if (!requestBody) return null;
  const [type = '', media] = Object.entries(requestBody.content ?? {})[0] ?? [];
  return html`<h3>Request body</h3>
<p>${requestBody.description} <span class="soft">${type}</span></p>
${media && mediaView(media)}`;
}

export function mediaView({ schema, example }: Media): Html {
  const own = fieldsOf(schema, '');
  return html`<p>Schema: ${typeOf(schema)}</p>${own}
${example !== undefined && html`<details><summary>Example</summary><pre>${JSON.stringify(example, null, 2)}</pre></details>`}`;
}

function responsesView({ responses }: DescribedOperation, components: Components): Html {
  const shown = Object.entries(responses).map(([status, given]) => {
    const response = resolved(given, components);
    const [[type = '', media] = []] = Object.entries(response.content ?? {});
    const headers = Object.entries(response.headers ?? {}).map(
      ([name, { $ref }]) =>
        html`<div class="field"><dt><code>${name}</code></dt><dd>${components.headers[lastOf($ref)]?.description ?? ''}</dd></div>`,
    );
    return html`<details class="response"${Number(status) < 300 && openMark}>
<summary><span class="status s${status.charAt(0)}">${status}</span> ${response.description ?? ''}</summary>
${errorLink(media?.example)}
${media && html`<p class="soft">${type}</p>${mediaView(media)}`}
${headers.length > 0 && html`<h4>Headers</h4><dl class="fields">${headers}</dl>`}
</details>`;
  });
  return html`<h3>Responses</h3>${shown}`;
}

/** To the page that explains the code of an ErrorMessage. */
function errorLink(example: unknown): Html | null {
  const { code, link } = (example ?? {}) as { readonly code?: unknown; readonly link?: unknown };
  if (code === undefined || link === undefined) return null;
  return html`<p>Error code <a href="../errors/${String(code)}">${String(code)}</a></p>`;
}

const openMark = html` open`;

function resolved(response: Described, { responses }: Components): Described {
  const { $ref } = response as { readonly $ref?: string };
  return $ref === undefined ? response : (responses[lastOf($ref)] ?? {});
}

const lastOf = (reference: unknown) => String(reference).split('/').at(-1) ?? '';

function examplesView(request: ExampleRequest): Html {
  const { id } = request.operation;
  const shown = exampleLanguages.map(
    (language, at) =>
      html`<details class="example" name="example-${id}"${at === 0 && openMark}><summary>${language}</summary><pre><code>${exampleIn[language](request)}</code></pre></details>`,
  );
  return html`<h3>Examples</h3><div class="examples">${shown}</div>`;
}

function exampleRequest(
  operation: Operation,
  { requestBody }: DescribedOperation,
  { parameters }: Components,
  { brand, baseUrl, restaurant: given }: ViewOptions,
): ExampleRequest {
  const examplesOf = (fields: Operation['params'], isWanted: (isRequired: boolean) => boolean) =>
    Object.fromEntries(
      parametersOf(fields)
        .filter(({ required }) => isWanted(required))
        .map(({ name, example }) => [name, example]),
    );
  const [[contentType = null, media] = []] = Object.entries(requestBody?.content ?? {});
  const isInHeader = namesRestaurantInHeader(operation);
  const place = given ?? parameters.restaurant?.example ?? null;
  const restaurant = isInHeader ? place : null;
  const params = examplesOf(operation.params, () => true);
  for (const name of restaurantParameters) {
    if (place !== null && name in params) params[name] = place;
  }
  return {
    ...{ operation, brand, baseUrl, contentType, restaurant, body: media?.example },
    params,
    query: examplesOf(operation.query, (isRequired) => isRequired),
  };
}
