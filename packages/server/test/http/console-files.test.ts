import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { createApplication } from '../../src/http/edge/application.ts';
import { ConsoleFiles } from '../../src/http/edge/console-files.ts';
import { applicationDeps, emptyHandlers } from './application-deps.ts';

const SCRIPT = `console.log('${'x'.repeat(2_000)}');`;
const PAGE = `<!doctype html><meta name="environment" content="" />
<script type="module" src="./assets/index-1.js"></script>`;

let folder: string;
let app: FastifyInstance;
let base: string;

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'console-'));
  const consoleFiles = new ConsoleFiles(pathToFileURL(`${folder}/dist/`));
  app = createApplication({ ...applicationDeps(), consoleFiles }, emptyHandlers());
  base = await app.listen({ port: 0, host: '127.0.0.1' });
});

after(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

test('console: without a build, a page says what to run, and a build needs no restart', async () => {
  const missing = await fetch(`${base}/console/`);
  assert.equal(missing.status, 503);
  assert.match(await missing.text(), /node tools\/setup\.mjs/);
  await mkdir(path.join(folder, 'dist/assets'), { recursive: true });
  await writeFile(path.join(folder, 'dist/assets/index-1.js'), SCRIPT);
  await writeFile(path.join(folder, 'dist/assets/index-1.js.br'), brotliCompressSync(SCRIPT));
  await writeFile(path.join(folder, 'dist/index.html'), PAGE);
  const built = await fetch(`${base}/console/`);
  assert.equal(built.status, 200);
  assert.match(await built.text(), /content="sandbox" data-brand="Acme"/);
});

test('console: at every depth the page finds its scripts, so a proxy may add a path', async () => {
  for (const [at, wanted] of [
    ['/console/', './assets/index-1.js'],
    ['/console/stock', './assets/index-1.js'],
    ['/console/payments/a/b?c=/d', '../../assets/index-1.js'],
  ] as const) {
    const text = await (await fetch(base + at)).text();
    assert.ok(text.includes(`src="${wanted}"`), `${at}: ${text}`);
  }
  const bare = await fetch(`${base}/console?restaurant=1`, { redirect: 'manual' });
  assert.equal(bare.status, 307);
  assert.equal(bare.headers.get('location'), 'console/?restaurant=1');
});

test('console: scripts are kept for ever, compressed; the page is asked for each time', async () => {
  const headers = { 'accept-encoding': 'br' };
  const script = await fetch(`${base}/console/assets/index-1.js`, { headers });
  assert.equal(script.headers.get('cache-control'), 'public, max-age=31536000, immutable');
  assert.equal(script.headers.get('content-encoding'), 'br');
  assert.equal(await script.text(), SCRIPT);
  assert.equal(brotliDecompressSync(brotliCompressSync(SCRIPT)).toString(), SCRIPT);
  const page = await fetch(`${base}/console/stock`);
  assert.equal(page.headers.get('cache-control'), 'no-cache');
  const known = await fetch(`${base}/console/stock`, {
    headers: { 'if-none-match': page.headers.get('etag') ?? '' },
  });
  assert.equal(known.status, 304);
  assert.equal((await fetch(`${base}/console/assets/index-0.js`)).status, 404);
});

test('console: nothing else may run on the page, frame it, or be sent to it', async () => {
  const { headers } = await fetch(`${base}/console/`);
  const policy = headers.get('content-security-policy') ?? '';
  assert.match(policy, /default-src 'none'.*frame-ancestors 'none'/);
  assert.doesNotMatch(policy, /unsafe|\*|data:/);
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
  assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin');
  const sent = await fetch(`${base}/console/`, { method: 'POST', body: 'x' });
  assert.equal(sent.status, 405);
  assert.equal(sent.headers.get('allow'), 'GET, HEAD');
  const head = await fetch(`${base}/console/`, { method: 'HEAD' });
  assert.equal(await head.text(), '');
  for (const other of ['/consoles', '/console.js', '/console%2Fx', '/console/%zz']) {
    const { status, headers } = await fetch(base + other);
    assert.equal(headers.get('cross-origin-opener-policy'), null);
    assert.ok(status >= 400, `${other} is none of its paths`);
  }
});
