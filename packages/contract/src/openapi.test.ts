import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { interfaces } from './interfaces.ts';
import { openApiDocument, openApiFiles } from './openapi.ts';
import { operations } from './operations.ts';
import { backOfficeScopes, partnerScopes, scopes } from './scopes.ts';

/** An OpenAPI document as far as these tests read it. */
interface Document {
  readonly info: { readonly version: string };
  readonly tags: readonly { readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

interface Described {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, unknown>>;
  readonly security: readonly Readonly<Record<string, string[]>>[];
}

const documentOf = (...given: Parameters<typeof openApiDocument>) =>
  openApiDocument(...given) as unknown as Document;

const committed = new URL('../openapi/', import.meta.url);

test('openapi: the committed documents are those that the contract derives', async () => {
  assert.deepEqual((await readdir(committed)).sort(), Object.keys(openApiFiles).sort());
  for (const [file, subject] of Object.entries(openApiFiles)) {
    const text = await readFile(new URL(file, committed), 'utf8');
    const derived = `${JSON.stringify(openApiDocument(subject), null, 2)}\n`;
    assert.ok(text === derived, `${file} is not what the contract says: npm run openapi`);
  }
});

test('openapi: every operation is described with each of its statuses and no other', () => {
  const { paths } = documentOf('all');
  for (const { id, path, method, statuses } of operations) {
    const described = paths[path]?.[method.toLowerCase()];
    assert.equal(described?.operationId, id);
    assert.deepEqual(Object.keys(described?.responses ?? {}).map(Number), statuses, id);
  }
  const count = Object.values(paths).flatMap((entry) => Object.keys(entry)).length;
  assert.equal(count, operations.length);
});

test('openapi: server variables have no description, which some parsers refuse', () => {
  for (const subject of Object.values(openApiFiles)) {
    const { servers } = openApiDocument(subject) as unknown as {
      servers: { variables: Record<string, object> }[];
    };
    const variables = servers.flatMap((server) => Object.values(server.variables));
    assert.deepEqual(variables.flatMap(Object.keys), ['default'], subject);
  }
});

test('openapi: each interface has its declared version and only its own operations', () => {
  for (const { id, version } of Object.values(interfaces)) {
    const document = documentOf(id);
    assert.equal(document.info.version, version);
    const described = Object.values(document.paths).flatMap((entry) =>
      Object.values(entry).map(({ operationId }) => operationId),
    );
    const own = operations.filter((each) => each.interface === id).map((each) => each.id);
    assert.deepEqual(described, own);
  }
});

test('openapi: each tag says what its own operations are about', () => {
  for (const subject of Object.values(openApiFiles)) {
    const texts = documentOf(subject).tags.map(({ description }) => description);
    assert.equal(new Set(texts).size, texts.length, `tags of ${subject} have the same description`);
  }
});

test('openapi: everything that is referred to exists, and everything shared is referred to', () => {
  for (const subject of Object.values(openApiFiles)) {
    const { components, ...rest } = documentOf(subject);
    const text = JSON.stringify({ components, ...rest });
    const used = [...text.matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map(([, ref]) => ref);
    const shared = ['parameters', 'responses', 'headers', 'schemas'].flatMap((kind) =>
      Object.keys(components[kind] ?? {}).map((name) => `${kind}/${name}`),
    );
    assert.deepEqual([...new Set(used)].sort(), shared.sort(), subject);
  }
});

test('openapi AUTH-8: a secured operation asks for its scope, a public one for no token', () => {
  const { paths } = documentOf('all');
  for (const { path, method, scope, security, interface: owner } of operations) {
    const described = paths[path]?.[method.toLowerCase()]?.security ?? [];
    const session = { sessionCookie: [], ...(method === 'GET' ? {} : { csrfToken: [] }) };
    const tokens = [{ oauth2: scope ? [scope] : [] }, { bearer: [] }];
    if (security === 'none') assert.deepEqual(described.at(-1), {});
    else if (security === 'session') assert.deepEqual(described, [session]);
    else assert.deepEqual(described, owner === 'backOffice' ? [...tokens, session] : tokens);
  }
});

test('openapi: a document offers the scopes of its own kind of client, the whole one all', () => {
  const offered = (subject: 'stock' | 'backOffice' | 'all') => {
    const { oauth2 } = documentOf(subject).components.securitySchemes as unknown as {
      oauth2: { flows: { clientCredentials: { scopes: object } } };
    };
    return Object.keys(oauth2.flows.clientCredentials.scopes);
  };
  assert.deepEqual(offered('stock'), [...partnerScopes]);
  assert.deepEqual(offered('backOffice'), [...backOfficeScopes]);
  assert.deepEqual(offered('all'), [...scopes]);
});

test('openapi: only what names its restaurant in the header asks for the header', () => {
  const text = JSON.stringify(documentOf('backOffice'));
  assert.doesNotMatch(text, /Restaurant-External-ID/);
  assert.match(JSON.stringify(documentOf('creditCards')), /Restaurant-External-ID/);
});

test('openapi: the metrics are text and the error page is HTML', () => {
  const { paths } = documentOf('all');
  const typesOf = (path: string) => {
    const answer = paths[path]?.get?.responses['200'] as { content: object };
    return Object.keys(answer.content);
  };
  assert.deepEqual(typesOf('/backoffice/v1/metrics'), ['text/plain']);
  assert.deepEqual(typesOf('/errors/{code}'), ['text/html']);
});

test('openapi: another brand stands in place of the default one everywhere', () => {
  const text = JSON.stringify(openApiDocument('all', { brand: 'Acme' }));
  assert.doesNotMatch(text, /Platform-|PLATFORM|Servery/);
  assert.match(text, /\["RESTAURANT","SERVER","ACME","THIRD_PARTY"\]/);
  assert.match(text, /"Acme-Restaurant-External-ID"/);
  assert.match(text, /"X-Acme-RateLimit-Reset"/);
  assert.match(text, /ACME_MACHINE_CLIENT/);
});

test('openapi: a document that is served has the addresses of its platform', () => {
  const baseUrl = 'https://acme.example';
  for (const subject of Object.values(openApiFiles)) {
    const document = openApiDocument(subject, { brand: 'Acme', baseUrl });
    const [server, ...others] = document.servers as { url: string; variables?: object }[];
    assert.deepEqual([server?.url, server?.variables, others], [baseUrl, undefined, []]);
    const { securitySchemes } = document.components as { securitySchemes: { oauth2?: object } };
    const { oauth2 } = securitySchemes;
    if (!oauth2) continue;
    const { flows } = oauth2 as { flows: { clientCredentials: { tokenUrl: string } } };
    assert.equal(flows.clientCredentials.tokenUrl, `${baseUrl}/oauth/token`);
  }
});

test('openapi API-7 AUTH-5: refusals carry the headers that tell what to do', () => {
  const { responses = {} } = documentOf('stock').components;
  const headersOf = (name: string) =>
    Object.keys((responses[name] as { headers: object }).headers).slice(0);
  assert.ok(headersOf('ErrorMessage401').includes('WWW-Authenticate'));
  assert.ok(headersOf('ErrorMessage429').includes('Retry-After'));
  for (const name of Object.keys(responses)) {
    assert.ok(headersOf(name).includes('Platform-Request-ID'), name);
    assert.ok(headersOf(name).includes('X-Platform-RateLimit-Remaining'), name);
  }
});
