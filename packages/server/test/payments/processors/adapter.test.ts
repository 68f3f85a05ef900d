import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { newRandomId } from '@servery/support/ids.ts';
import { makeTestFolder, removeTestFolder } from '../../../../postgres/test/test-folder.ts';
import { type Platform, start } from '../../../src/boot/server.ts';
import { readConfig } from '../../../src/config/config.ts';
import type { DemoFile } from '../../../src/sandbox/demo-file.ts';
import { createTestDatabase, type TestDatabase } from '../../database.ts';
import { openSender, type Sender } from '../hunt/canaries.ts';
import { logIn } from '../hunt/spawned-platform.ts';
import { until } from './orders.ts';

const SECRET = 'adapter-secret';
const DOCUMENT = new URL('../../../../../docs/reference/processor-protocol.md', import.meta.url);

/** The calls of the table in docs/reference/processor-protocol.md, with the fields that it names. */
async function documentedCalls(): Promise<Map<string, readonly string[]>> {
  const document = await readFile(DOCUMENT, 'utf8');
  const rows = document.matchAll(/^\| `(\/[a-z]+)` \| (.*) \|$/gm);
  return new Map(
    [...rows].map(([, path = '', cell = '']) => {
      const names = [...cell.matchAll(/`([a-z]\w*)`/g)].map(([, name = '']) => name);
      return [path, names.filter((name) => name !== 'key')];
    }),
  );
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * A processor by the words of docs/reference/processor-protocol.md and nothing else. What the document does not tell
 * of ends it, as it would end an adapter of somebody who trusts the document.
 */
class Adapter {
  readonly calls: { path: string; key: string }[] = [];
  readonly #documented: ReadonlyMap<string, readonly string[]>;
  /** What was answered to each key: it outlives a restart, as a file would. */
  readonly #answers = new Map<string, object>();
  /** The connection of the next authorization breaks once its hold is there. */
  dropsNext = false;
  failure: unknown = null;
  #server: Server | null = null;
  #port = 0;

  constructor(documented: ReadonlyMap<string, readonly string[]>) {
    this.#documented = documented;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async listen(): Promise<void> {
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error: unknown) => {
        this.failure ??= error;
        this.#server?.close();
        this.#server?.closeAllConnections();
      });
    });
    this.#server.keepAliveTimeout = 65_000;
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async end(): Promise<void> {
    if (!this.#server?.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url: path = '', headers } = request;
    const body = JSON.parse(await text(request)) as Fields & { key: string; card?: Fields };
    assert.equal(method, 'POST');
    assert.equal(headers['content-type'], 'application/json');
    assert.equal(headers.authorization, `Bearer ${SECRET}`);
    const documented = this.#documented.get(path);
    assert.ok(documented, `the document has no call ${path}`);
    const { protocol, key, ...rest } = body;
    assert.equal(protocol, 1);
    const names = [...Object.keys(rest), ...Object.keys(body.card ?? {})];
    assert.deepEqual(names.sort(), [...documented].sort(), path);
    this.calls.push({ path, key });
    const answer = this.#answers.get(key) ?? this.#act(path, key, rest);
    if (path === '/authorize' && this.dropsNext) {
      this.dropsNext = false;
      response.destroy();
      return;
    }
    response.end(JSON.stringify({ protocol: 1, key, answer }));
  }

  #act(path: string, key: string, fields: Fields): object {
    if (path === '/hello') return { outcome: 'ready' };
    if (path === '/inquire') return { outcome: 'notFound', explanation: 'no such call' };
    const { amountMinor, currencyCode } = fields;
    const hold = path === '/authorize' ? fields : this.#answers.get(`${fields.authorizationKey}`);
    const answer = hold
      ? {
          ...{ outcome: 'approved', authorizationCode: 'A1B2C3', reference: 'hold-a1' },
          ...{ amountMinor, currencyCode },
          // A void names no amount: it gives the whole hold up.
          ...(path === '/void' && { ...hold }),
        }
      : { outcome: 'notFound', explanation: 'no such hold' };
    this.#answers.set(key, answer);
    return answer;
  }
}

let own: TestDatabase;
let folder: string;
let adapter: Adapter;
let platform: Platform | null = null;
let demo: DemoFile;
before(async () => {
  own = await createTestDatabase();
  folder = await makeTestFolder();
  adapter = new Adapter(await documentedCalls());
  await adapter.listen();
});
after(async () => {
  await platform?.stop();
  await adapter?.end();
  await own.drop();
  removeTestFolder(folder);
});

async function serve(): Promise<Sender> {
  const settings = {
    DATABASE_URL: own.url,
    SERVERY_DATA_DIR: folder,
    SERVERY_PORT: '0',
    SERVERY_PROFILE: 'empty',
    SERVERY_LOG_LEVEL: 'silent',
    SERVERY_RATE_LIMIT_PER_SECOND: '10000',
    SERVERY_RATE_LIMIT_PER_QUARTER_HOUR: '1000000',
    SERVERY_PROCESSOR_URL: adapter.url,
    SERVERY_PROCESSOR_SECRET: SECRET,
  };
  platform = await start(readConfig(settings, []));
  demo = JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8')) as DemoFile;
  return await openSender({ url: platform.url, demo });
}

async function restart(): Promise<Sender> {
  await platform?.stop();
  await adapter.end();
  await adapter.listen();
  return await serve();
}

interface Payment {
  readonly paymentUuid: string;
  readonly body: Record<string, unknown>;
}

async function payment(sender: Sender): Promise<Payment> {
  return { paymentUuid: newRandomId(), body: await sender.body(sender.canary()) };
}

async function put(sender: Sender, { paymentUuid, body }: Payment): Promise<string> {
  const { status, text: answer } = await sender.put(body, paymentUuid);
  assert.equal(status, 200, `${answer} ${adapter.failure}`);
  return (JSON.parse(answer) as { paymentState: string }).paymentState;
}

/** Has the orders side move a payment; gives its state. */
async function move(sender: Sender, paymentUuid: string, names: readonly string[]) {
  const url = platform?.url ?? '';
  const token = await logIn({ url, demo }, demo.clients.orders);
  const merchant = demo.restaurants.find(({ archived }) => !archived)?.guid;
  const path = `/backoffice/v1/merchants/${merchant}/payments/${paymentUuid}`;
  const headers = { authorization: `Bearer ${token}` };
  const bodies: Record<string, object> = {
    apply: { checkGuid: newRandomId() },
    void: { reason: 'the guest has left' },
    tip: { tipAmount: 0 },
  };
  for (const name of names) {
    const body = bodies[name];
    const sent = { method: 'POST', headers, ...(body && { body }) };
    const answer = await sender.send(`${path}/${name}`, sent);
    assert.equal(answer.status, 200, `${name}: ${answer.text}`);
  }
  return async () =>
    (JSON.parse((await sender.send(path, { headers })).text) as Fields).paymentState;
}

test('creditCards.authorize PAY-I1: an adapter by the document serves a whole life', async () => {
  const first = await serve();
  assert.deepEqual(
    adapter.calls.map(({ path }) => path),
    ['/hello'],
  );
  const [voided, captured, lost] = [
    await payment(first),
    await payment(first),
    await payment(first),
  ];
  for (const each of [voided, captured]) assert.equal(await put(first, each), 'AUTHORIZED');
  const voidedState = await move(first, voided.paymentUuid, ['void']);
  await until('the void', async () => (await voidedState()) === 'VOIDED');
  const capturedState = await move(first, captured.paymentUuid, [
    'apply',
    'tip',
    'fulfil',
    'capture',
  ]);
  await until('the capture', async () => (await capturedState()) === 'CAPTURED');
  adapter.dropsNext = true;
  assert.equal(await put(first, lost), 'ACKNOWLEDGED');
  await until('the inquiry', async () => (await put(first, lost)) === 'AUTHORIZED');
  const second = await restart();
  assert.equal(await put(second, await payment(second)), 'AUTHORIZED');
  assert.equal(await put(second, lost), 'AUTHORIZED', 'a hold outlives the restart');
  const holds = adapter.calls.filter(({ path }) => path === '/authorize');
  assert.equal(new Set(holds.map(({ key }) => key)).size, 4);
  const called = new Set(adapter.calls.map(({ path }) => path));
  assert.deepEqual([...called].sort(), [...(await documentedCalls()).keys()].sort());
  assert.equal(adapter.calls.filter(({ path }) => path === '/hello').length, 2);
  assert.ifError(adapter.failure);
});
