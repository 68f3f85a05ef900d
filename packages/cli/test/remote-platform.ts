import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { after, before } from 'node:test';
import type { DiningOption, MenusDocument, Order, ResolvedMenuItem } from '@servery/contract';
import { start } from '../../server/src/boot/server.ts';
import { readConfig } from '../../server/src/config/config.ts';
import type { DemoFile } from '../../server/src/sandbox/demo-file.ts';
import { createTestDatabase } from '../../server/test/database.ts';
import { exitCodes } from '../src/exit-codes.ts';
import { createProgram } from '../src/program.ts';
import { report } from '../src/report.ts';
import type { Ended } from './command.ts';

/** A running sandbox, and the command beside it. */
export interface RemotePlatform {
  readonly demo: DemoFile;
  readonly dataDir: string;
  readonly databaseUrl: string;
  /** Runs a command in this process; it finds the sandbox by its data folder. */
  run(args: readonly string[]): Promise<Ended>;
  /** Runs it and gives what it printed as JSON; fails unless it ends with 0. */
  json<Body>(args: readonly string[]): Promise<Body>;
  stop(): Promise<void>;
}

type Settings = Readonly<Record<string, string>>;

let shared: Promise<RemotePlatform> | undefined;
let users = 0;

/**
 * Gives the sandbox with the demo group that all files of a process share. A file creates what it
 * counts. At its end, the clock runs, no webhook waits, and the demo group has its names. An `after`
 * hook that uses the sandbox must stand before this call.
 */
export function useRemotePlatform(take: (platform: RemotePlatform) => unknown): void {
  users += 1;
  before(async () => {
    shared ??= startRemotePlatform();
    // Not in a hook of the caller: in a file that runs alone, all hooks begin at once.
    await take(await shared);
  });
  after(async () => {
    users -= 1;
    if (users === 0) await (await shared)?.stop();
  });
}

/** Starts a sandbox with the demo group, in this process, on a database of its own. */
export async function startRemotePlatform(settings: Settings = {}): Promise<RemotePlatform> {
  const own = await createTestDatabase();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'servery-cli-remote-'));
  const platform = await startAt(own.url, dataDir, settings);
  const demo = JSON.parse(await readFile(path.join(dataDir, 'demo.json'), 'utf8')) as DemoFile;
  const run = (args: readonly string[]) => runHere(args, { SERVERY_DATA_DIR: dataDir });
  return {
    ...{ demo, dataDir, databaseUrl: own.url, run },
    json: async (args) => {
      const { code, out, err } = await run([...args, '--json']);
      if (code !== 0) throw new Error(`servery ${args.join(' ')} ended with ${code}: ${err}`);
      return JSON.parse(out);
    },
    stop: async () => {
      await platform.stop();
      await own.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function startAt(databaseUrl: string, dataDir: string, settings: Settings) {
  const config = readConfig(
    {
      DATABASE_URL: databaseUrl,
      SERVERY_DATA_DIR: dataDir,
      SERVERY_PORT: '0',
      SERVERY_LOG_LEVEL: 'silent',
      SERVERY_PROCESSOR: 'in-process',
      SERVERY_RATE_LIMIT_PER_SECOND: '1000000',
      SERVERY_RATE_LIMIT_MENUS_PER_SECOND: '1000000',
      ...settings,
    },
    [],
  );
  return await start(config);
}

/** Runs `servery` without a process of its own, which takes most of the time of a command. */
export async function runHere(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  const [out, err] = [new PassThrough(), new PassThrough()];
  const written = Promise.all([text(out), text(err)]);
  let code: number = exitCodes.ok;
  const { signal } = new AbortController();
  const program = createProgram({ env, terminal: { out, err }, signal }, args);
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    code = report(error, { terminal: { err }, env });
  }
  out.end();
  err.end();
  const [shown, told] = await written;
  return { code, out: shown, err: told };
}

/** Sends what `servery encrypt --curl` printed, as curl would; gives status and body. */
export async function sendAsCurl(command: string, token: string) {
  const [, url = ''] = /-X PUT '([^']+)'/.exec(command) ?? [];
  const [, body = ''] = /--data-binary '(.*)'\n$/s.exec(command) ?? [];
  const headers = [...command.matchAll(/-H (['"])([^:]+): (.*?)\1 \\\n/g)].map(
    ([, , name = '', value = '']): [string, string] => [name, value.replace('$TOKEN', token)],
  );
  const answer = await fetch(url, { method: 'PUT', headers, body });
  return { status: answer.status, body: await answer.json() };
}

/** Places an order of one item, for later or for now; gives its restaurant and itself. */
export async function orderAt({ demo }: RemotePlatform, promisedDate: string | null) {
  const ask = await askAsPartner(demo);
  let plain = plainOrders.get(demo);
  if (!plain) {
    plain = plainOrder(ask);
    plainOrders.set(demo, plain);
  }
  return (await ask('/orders/v2/orders', { ...(await plain), promisedDate })) as Order;
}

type Ask = (place: string, body?: object) => Promise<unknown>;

async function askAsPartner(demo: DemoFile): Promise<Ask> {
  const [restaurant] = demo.restaurants;
  assert.ok(restaurant);
  const token = await partnerToken(demo);
  return async (place, body) => {
    const answer = await fetch(`${demo.baseUrl}${place}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${token}`,
        'Platform-Restaurant-External-ID': restaurant.guid,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const json = await answer.json();
    assert.equal(answer.status, 200, JSON.stringify(json));
    return json;
  };
}

/** The menus are long: they are read once for each sandbox. */
const plainOrders = new WeakMap<DemoFile, Promise<object>>();

async function plainOrder(ask: Ask): Promise<object> {
  const { menus } = (await ask('/menus/v2/menus')) as MenusDocument;
  const groups = menus.flatMap(({ menuGroups }) => menuGroups);
  const isPlain = (item: ResolvedMenuItem) =>
    (item.price ?? 0) > 0 && item.modifierGroupReferences.length === 0;
  const group = groups.find(({ menuItems }) => menuItems.some(isPlain));
  const item = group?.menuItems.find(isPlain);
  const options = (await ask('/config/v2/diningOptions')) as DiningOption[];
  const takeOut = options.find(({ behavior }) => behavior === 'TAKE_OUT');
  assert.ok(group && item && takeOut);
  const customer = { firstName: 'Ada', lastName: 'Lovelace', phone: '6175550123' };
  const selections = [{ itemGroup: { guid: group.guid }, item: { guid: item.guid } }];
  return { diningOption: { guid: takeOut.guid }, checks: [{ selections, customer }] };
}

/** Authorizes a payment with what `servery encrypt` prints for these flags; gives its UUID. */
export async function payAt({ demo, run }: RemotePlatform, flags: readonly string[]) {
  const { code, out, err } = await run(['encrypt', ...flags, '--curl']);
  assert.equal(code, 0, err);
  const { status, body } = await sendAsCurl(out, await partnerToken(demo));
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal((body as { paymentState: string }).paymentState, 'AUTHORIZED');
  return /\/payments\/([0-9a-f-]{36})'/.exec(out)?.[1] ?? '';
}

async function partnerToken(demo: DemoFile): Promise<string> {
  const { clientId, clientSecret } = demo.clients.partner;
  const answer = await fetch(`${demo.baseUrl}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}
