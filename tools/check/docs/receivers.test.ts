import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { exampleOf, type PartnerEvent } from '@servery/contract';
import { makeSecret, makeTestHeaders } from '@servery/webhooks';
import { Targets } from '../../../packages/server/src/webhooks/sockets/targets.ts';
import { reservePort } from '../../../packages/server/test/reserved-ports.ts';

const page = readFileSync(
  fileURLToPath(new URL('../../../docs/guides/receive-webhooks.md', import.meta.url)),
  'utf8',
);
const folder = mkdtempSync(join(tmpdir(), 'servery-receivers-'));
const [old, current, stranger] = [makeSecret(), makeSecret(), makeSecret()];
const event = exampleOf({ schema: 'PartnerEvent', array: false }, 'Platform') as PartnerEvent;
const body = JSON.stringify({
  ...event,
  details: { ...event.details, restaurantName: 'Café Ñandú' },
});
const targets = new Targets({ rules: { allowsLoopback: true } });

after(async () => {
  await targets.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A receiver under test: where it listens, and the events that it has worked on. */
interface RunningReceiver {
  readonly url: string;
  /** Waits until this many events have come, and gives them. */
  readonly events: (count: number) => Promise<readonly string[]>;
  stop(): Promise<void>;
}

/** A receiver that the page leads to. */
function fileOf(name: string): string {
  assert.ok(page.includes(`](receivers/${name})`), `docs/guides/receive-webhooks.md shows ${name}`);
  return fileURLToPath(new URL(`../../../docs/guides/receivers/${name}`, import.meta.url));
}

const environment = { ...process.env, WEBHOOK_SECRETS: `${old} ${current}` };

/** Runs a receiver that listens by itself and prints what it gets. */
async function startProgram(program: string, file: string): Promise<RunningReceiver> {
  const port = await reservePort();
  const child: ChildProcess = spawn(program, [file], {
    env: { ...environment, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  assert.ok(child.stdout);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const nextLine = async () => String((await lines.next()).value);
  assert.equal(await nextLine(), 'ready');
  return {
    url: `http://127.0.0.1:${port}/hook`,
    async events(count) {
      const got: string[] = [];
      while (got.length < count) got.push(await nextLine());
      return got;
    },
    async stop() {
      const gone = once(child, 'close');
      child.kill();
      await gone;
    },
  };
}

/** Runs a receiver that reads one request from its standard input, for each connection. */
async function startForEach(file: string): Promise<RunningReceiver> {
  const children = new Set<ChildProcess>();
  const answer = (socket: Socket) => {
    const env = { ...environment, WEBHOOK_FOLDER: folder };
    const child = spawn('bash', [file], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    children.add(child);
    socket.pipe(child.stdin).on('error', () => {});
    child.stdout.pipe(socket).on('error', () => {});
  };
  const server = createServer(answer);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    async events() {
      for (const child of children) if (child.exitCode === null) await once(child, 'exit');
      const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
      return files.map((name) => {
        const got = JSON.parse(readFileSync(join(folder, name), 'utf8')) as PartnerEvent;
        return `${got.eventType} ${got.guid} ${JSON.stringify(got.details)}`;
      });
    },
    async stop() {
      server.close();
      await once(server, 'close');
    },
  };
}

async function holdToTheRules(receiver: RunningReceiver): Promise<void> {
  const present = makeTestHeaders({ body, secrets: current });
  const nowSeconds = Number(present['webhook-timestamp']);
  const post = async (signed: Parameters<typeof makeTestHeaders>[0], sent: string = body) => {
    const outcome = await targets.post({
      ...{ url: receiver.url, headers: makeTestHeaders(signed), body: Buffer.from(sent) },
      ...{ connectTimeoutMs: 20_000, answerTimeoutMs: 20_000 },
    });
    return outcome.kind === 'ANSWERED' ? outcome.status : outcome.explanation;
  };
  const at = (timestampSeconds: number) => ({ body, secrets: current, timestampSeconds });
  assert.equal(await post({ body, secrets: stranger }), 400, 'another secret');
  assert.equal(await post({ body, secrets: current }, `${body} `), 400, 'one byte more');
  assert.equal(await post({ body, secrets: current }, body.replace('é', 'e')), 400, 'a change');
  assert.equal(await post(at(nowSeconds - 1_000)), 400, 'sent again later');
  assert.equal(await post(at(nowSeconds + 1_000)), 400, 'from the future');
  assert.equal(await post({ body, secrets: current }), 204, 'the new secret');
  assert.equal(await post({ body, secrets: old }), 204, 'the old secret, and the same event');
  assert.equal(await post({ body, secrets: [old, stranger] }), 204, 'one secret of two');
  const other = JSON.stringify({ ...JSON.parse(body), guid: event.details.restaurantGuid });
  assert.equal(await post({ body: other, secrets: current }, other), 204, 'another event');
  const { details } = JSON.parse(body) as PartnerEvent;
  const told = (guid: string) => `${event.eventType} ${guid} ${JSON.stringify(details)}`;
  const expected = [told(event.guid), told(event.details.restaurantGuid)];
  assert.deepEqual([...(await receiver.events(2))].sort(), expected.sort());
}

/** Why a receiver cannot run on this machine; false when it can. */
function isMissing(program: string): string | false {
  return spawnSync(program, ['--version']).error ? `${program} is not installed` : false;
}

test('PTN-7: the receiver in Node.js of docs/guides/receive-webhooks.md believes what is signed alone', async () => {
  const receiver = await startProgram(process.execPath, fileOf('receiver.mjs'));
  await holdToTheRules(receiver).finally(() => receiver.stop());
});

test('PTN-7: the receiver in Python of docs/guides/receive-webhooks.md believes what is signed alone', {
  skip: isMissing('python3'),
}, async () => {
  const receiver = await startProgram('python3', fileOf('receiver.py'));
  await holdToTheRules(receiver).finally(() => receiver.stop());
});

test('PTN-7: the receiver in shell of docs/guides/receive-webhooks.md believes what is signed alone', {
  skip: isMissing('bash') || isMissing('openssl'),
}, async () => {
  const receiver = await startForEach(fileOf('receiver.sh'));
  await holdToTheRules(receiver).finally(() => receiver.stop());
});

test('docs/guides/receive-webhooks.md leads to files that are there', () => {
  for (const [, path = ''] of page.matchAll(/\]\(((?!http)[^)#]+)\)/g)) {
    assert.ok(
      existsSync(fileURLToPath(new URL(`../../../docs/guides/${path}`, import.meta.url))),
      path,
    );
  }
});
