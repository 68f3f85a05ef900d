import {
  brandedHeaders,
  exampleOf,
  type JsonSchema,
  type OrderRequest,
  openApiDocument,
  openApiFiles,
} from '@servery/contract';
import { Html, html } from './html.ts';
import {
  type Components,
  type DescribedOperation,
  type Media,
  mediaView,
  operationSection,
  type ViewOptions,
} from './operation-view.ts';
import { findReferencePage, type ReferencePage, referencePages } from './pages.ts';
import { schemaSection, schemasBehind } from './schema-view.ts';
import { searchWordsOf } from './search-words.ts';

export interface PageOptions extends ViewOptions {
  /** Null for the start of the reference. */
  readonly page: string | null;
  /** Elements of the head that load the styles and the script of the built console. */
  readonly assets: string;
}

/** A page of the reference as a whole document. */
export function referenceHtml(options: PageOptions): string {
  const page = findReferencePage(options.page ?? '') ?? null;
  const { brand, assets } = options;
  const { restaurantExternalId, requestId } = brandedHeaders(brand);
  // Relative, because a proxy may serve the platform below a path.
  const up = page ? '../' : './';
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page && `${page.title} · `}${brand} reference</title>
${new Html(assets.replaceAll('="./', `="${up}console/`))}
</head>
<body data-up="${up}" data-restaurant-header="${restaurantExternalId}" data-request-header="${requestId}">
<a class="skip" href="#content">Skip to the content</a>
<header><a class="brand" href="${up}">${brand}</a><nav aria-label="Platform"><a href="${up}reference">Reference</a> <a href="${up}console/">Console</a></nav></header>
<div class="columns">
<nav class="side" aria-label="All operations">
<label>Search<input type="search" id="search" autocomplete="off" placeholder="Name, path, or scope"></label>
<p id="found" role="status"></p>
<details class="contents" open><summary>All operations</summary>
${referencePages.map((each) => pageLinks(each, page, up))}
</details>
</nav>
<main id="content" tabindex="-1">
${page ? pageContent(page, options) : startContent(options, up)}
</main>
</div>
</body>
</html>
`.text;
}

function pageLinks(listed: ReferencePage, shown: ReferencePage | null, up: string): Html {
  const address = `${up}reference/${listed.name}`;
  const isShown = listed === shown;
  const links = listed.operations.map(
    ({ id, method, path, summary, scope }) =>
      html`<li data-words="${`${id} ${method} ${path} ${scope ?? ''} ${summary} ${searchWordsOf(id)}`.toLowerCase()}"><a href="${isShown ? '' : address}#${id}">${summary}</a></li>`,
  );
  return html`<details class="group"${isShown && html` open`}><summary>${listed.title}</summary>
<ul><li><a href="${address}"${isShown && html` aria-current="page"`}>${listed.title}: overview</a></li>${links}</ul></details>`;
}

function startContent({ brand, baseUrl }: PageOptions, up: string): Html {
  return html`<h1>${brand} reference</h1>
<p>Every operation of this platform, with its schemas, errors, scopes, limits, and examples. The
base address is <code>${baseUrl}</code>.</p>
<p>To call the partner interfaces, <a href="${up}reference/authentication#auth.login">log in</a> with
the client id and the secret of your account, and send the access token with every request. To
generate a client, use the <a href="${up}openapi/servery.json">OpenAPI document</a>.</p>
<ul class="pages">${referencePages.map(
    ({ name, title, description }) =>
      html`<li><h2><a href="${up}reference/${name}">${title}</a></h2>
<p>${description}</p></li>`,
  )}</ul>`;
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly webhooks?: Readonly<Record<string, Webhook>>;
  readonly components: Components;
}

interface Webhook {
  readonly post: {
    readonly summary: string;
    readonly description: string;
    readonly requestBody: { readonly content: Readonly<Record<string, Media>> };
  };
}

/** What the platform sends to partners. */
function webhookSections(webhooks: Readonly<Record<string, Webhook>>): Html {
  const sections = Object.entries(webhooks).map(([type, { post }]) => {
    const id = `webhooks.${type}`;
    const [media] = Object.values(post.requestBody.content);
    return html`<section class="webhook" id="${id}">
<h3><a href="#${id}">${post.summary}</a></h3>
<p><code>${type}</code></p>
<p>${post.description}</p>
${media && mediaView(media)}
</section>`;
  });
  return html`<h2 id="webhooks">Webhooks</h2>
<p>The platform posts these events to the endpoints that subscribe to them.</p>${sections}`;
}

function pageContent(page: ReferencePage, options: PageOptions): Html {
  const { brand, baseUrl, isSandbox } = options;
  const { title, description, operations, document } = page;
  const subject = openApiFiles[document] ?? 'all';
  const { paths, webhooks, components } = openApiDocument(subject, {
    brand,
    baseUrl,
  }) as unknown as OpenApi;
  const described = operations.flatMap((operation) => {
    const found = paths[operation.path]?.[operation.method.toLowerCase()];
    return found ? [{ operation, found }] : [];
  });
  const used = described.map(({ found }) => [
    found,
    Object.values(found.responses).map((response) => responseBehind(response, components)),
  ]);
  const names = schemasBehind([used, webhooks], components.schemas);
  return html`<h1>${title}</h1>
<p>${description}</p>
<p>OpenAPI: <a href="../openapi/${document}">${document}</a></p>
${isSandbox && tryItBar(brand)}
${described.map(({ operation, found }) => operationSection(operation, found, components, options))}
${webhooks && webhookSections(webhooks)}
${names.length > 0 && html`<h2 id="schemas">Schemas</h2>${names.map((name) => schemaSection(name, components.schemas[name] as JsonSchema))}`}`;
}

function responseBehind(response: object, { responses }: Components): unknown {
  const { $ref = '' } = response as { readonly $ref?: string };
  return responses[$ref.split('/').at(-1) ?? ''];
}

/** The script shows it: without one, nothing could be sent. It names other things in the examples. */
function tryItBar(brand: string): Html {
  const order = exampleOf({ schema: 'OrderRequest', array: false }, brand) as OrderRequest;
  const selection = order.checks?.[0]?.selections?.[0];
  return html`<section class="bar" id="try-it" data-item="${selection?.item?.guid ?? ''}" data-group="${selection?.itemGroup?.guid ?? ''}" data-dining-option="${order.diningOption?.guid ?? ''}" hidden aria-label="Try it">
<p>This is a sandbox: you can send requests from this page.</p>
<label>Account<select id="account">
<option value="partner">Demo partner</option>
<option value="readOnly">Demo partner, read only</option>
<option value="group">Demo management group</option>
<option value="other">Unconnected partner</option>
<option value="orders">Demo orders system</option>
<option value="operator">Demo operator</option>
</select></label>
<label>Restaurant<select id="restaurant"></select></label>
<p id="signed-in" role="status"></p>
<p id="named" role="status"></p>
</section>`;
}
