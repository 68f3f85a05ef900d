import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { operations } from '@servery/contract';
import { runHere } from './remote-platform.ts';

interface Pair {
  readonly key: string;
  readonly value: string;
}

interface Item {
  readonly name: string;
  readonly item?: readonly Item[];
  readonly event?: readonly { readonly script: { readonly exec: readonly string[] } }[];
  readonly request?: {
    readonly method: string;
    readonly header: readonly Pair[];
    readonly url: {
      readonly raw: string;
      readonly host: readonly string[];
      readonly path: readonly string[];
      readonly variable: readonly Pair[];
    };
    readonly body?: { readonly mode: string; readonly raw?: string };
  };
}

interface Collection {
  readonly info: { readonly name: string; readonly schema: string };
  readonly variable: readonly Pair[];
  readonly item: readonly Item[];
}

const nowhere = { SERVERY_DATA_DIR: path.join(tmpdir(), 'servery-nothing-here') };

const requestsIn = (items: readonly Item[]): readonly Item[] =>
  items.flatMap((each) => (each.item ? requestsIn(each.item) : [each]));

test('servery export postman: every operation for partners is a request that can be sent', async () => {
  const { code, out, err } = await runHere(['export', 'postman', '--brand', 'Acme'], nowhere);
  assert.equal(code, 0, err);
  const { info, item, variable } = JSON.parse(out) as Collection;
  assert.equal(info.schema, 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json');
  assert.equal(info.name, 'Acme');
  const names = new Set(variable.map(({ key }) => key));
  for (const name of ['baseUrl', 'clientId', 'clientSecret', 'restaurant'])
    assert.ok(names.has(name));
  const requests = requestsIn(item);
  const sent = requests.map(({ request }) => {
    assert.ok(request);
    const { method, url, body } = request;
    assert.deepEqual(url.host, ['{{baseUrl}}']);
    assert.ok(url.raw.startsWith(`{{baseUrl}}/${url.path.join('/')}`), url.raw);
    const parameters = url.path.filter((part) => part.startsWith(':')).map((part) => part.slice(1));
    assert.deepEqual(
      url.variable.map(({ key }) => key),
      parameters,
      url.raw,
    );
    if (body?.mode === 'raw') JSON.parse(body.raw ?? '');
    for (const [, used = ''] of JSON.stringify(request).matchAll(/\{\{(\w+)\}\}/g)) {
      assert.ok(names.has(used), `${url.raw} uses the variable ${used}`);
    }
    return `${method} /${url.path.join('/').replaceAll(/:(\w+)/g, '{$1}')}`;
  });
  const wanted = operations.filter((operation) => operation.interface !== 'backOffice');
  assert.deepEqual(sent.sort(), wanted.map(({ method, path }) => `${method} ${path}`).sort());
  const stock = requests.find(({ request }) => request?.url.raw.endsWith('/inventory/update'));
  assert.deepEqual(stock?.request?.header, [
    { key: 'Acme-Restaurant-External-ID', value: '{{restaurant}}' },
    { key: 'Content-Type', value: 'application/json' },
  ]);
});

test('servery export postman: the first request logs in, and its script keeps the token', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'postman-'));
  try {
    const out = path.join(folder, 'collection.json');
    const url = 'https://platform.example/';
    const { code, err } = await runHere(['export', 'postman', '--url', url, '--out', out], nowhere);
    assert.equal(code, 0, err);
    const { item, variable } = JSON.parse(await readFile(out, 'utf8')) as Collection;
    assert.equal(variable.find(({ key }) => key === 'baseUrl')?.value, 'https://platform.example');
    const [login] = item;
    assert.equal(login?.request?.url.raw, '{{baseUrl}}/authentication/v1/authentication/login');
    const body = JSON.parse(login?.request?.body?.raw ?? '');
    assert.deepEqual(body, {
      clientId: '{{clientId}}',
      clientSecret: '{{clientSecret}}',
      userAccessType: 'PLATFORM_MACHINE_CLIENT',
    });
    const kept = new Map<string, string>();
    const response = { json: () => ({ token: { accessToken: 'the token' } }) };
    const pm = {
      test: () => {},
      response,
      collectionVariables: { set: (name: string, value: string) => kept.set(name, value) },
    };
    const script = login?.event?.[0]?.script.exec.join('\n') ?? '';
    new Function('pm', script)(pm);
    assert.equal(kept.get('accessToken'), 'the token');
  } finally {
    await rm(folder, { recursive: true });
  }
});
