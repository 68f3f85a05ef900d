import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sleep } from '@servery/support/timer.ts';
import { connectDatabase, type Database } from '../../../packages/server/src/database/database.ts';
import type { DemoFile } from '../../../packages/server/src/sandbox/demo-file.ts';
import { reservePorts } from '../../../packages/server/test/reserved-ports.ts';
import { Place, type Received, receive } from '../../../packages/server/test/sandboxes/place.ts';
import {
  endMaking,
  listSandboxParts,
} from '../../../packages/server/test/sandboxes/registry-rows.ts';
import { programFile } from '../../../packages/support/test/program.ts';
import { crashCluster } from '../crash/cluster.ts';
import { keptProcess, type Victim } from '../crash/kept-process.ts';
import { type Lots, lotsOf } from '../crash/random.ts';

export interface SandboxCrashOptions {
  /** How many kills must cut an operation short. */
  readonly kills: number;
  readonly seed: number;
}

export interface SandboxCrashReport {
  /** How many kills came just after the operation was acknowledged. */
  readonly late: number;
  readonly violations: readonly string[];
}

/** What was acknowledged of one sandbox. */
interface Known {
  readonly name: string;
  readonly place: Place;
  /** How much of the item is left there. */
  quantity: number;
  readonly snapshots: Map<string, number>;
}

/** An operation, and what is known once it is acknowledged. */
interface Operation {
  readonly kind: string;
  readonly subject: string;
  readonly send: () => Promise<Received>;
  readonly acknowledged: (received: Received) => Promise<void>;
  /** Whether it is done. Throws an AssertionError if it is neither done nor undone. */
  readonly findOutcome: () => Promise<void>;
}

interface Stage {
  readonly main: Place;
  readonly item: string;
  readonly dataDir: string;
  readonly database: Database;
  readonly known: Map<string, Known>;
  /** About how long an operation of its kind takes. */
  readonly durations: Map<string, number>;
  serial: number;
}

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const SANDBOXES_AT_MOST = 4;
const SNAPSHOTS_AT_MOST = 2;
const PATIENCE_MS = 120_000;
const FIRST_DURATION_MS = 200;
/** What a kill that cut an operation short says of how long the operation would have taken. */
const SLOWER = 1.2;

/**
 * Kills the server with `kill -9` in the middle of what it does with sandboxes, again and again.
 * After each start nothing half may be left, and all that was acknowledged must be there.
 */
export async function playSandboxCrash(
  { kills, seed }: SandboxCrashOptions,
  tell: (line: string) => void,
): Promise<SandboxCrashReport> {
  const lots = lotsOf(seed);
  const folder = mkdtempSync(join(tmpdir(), 'servery-sandboxes-'));
  // PostgreSQL does not run as root: its user must be able to enter.
  chmodSync(folder, 0o755);
  const cluster = await crashCluster(join(folder, 'cluster'));
  const [port = 0] = await reservePorts(1);
  const dataDir = join(folder, 'data');
  const violations: string[] = [];
  const server = serverOf({ port, dataDir, folder, url: cluster.url }, violations);
  let database: Database | null = null;
  let cutShort = 0;
  let late = 0;
  try {
    await cluster.start();
    await server.start();
    database = connectDatabase({ url: cluster.url, poolSize: 2 });
    const stage = await buildStage({ port, dataDir, database });
    tell('the template and the first sandbox are made');
    while (cutShort < kills) {
      const operation = draw(stage, lots);
      const told = `kill ${cutShort + late + 1}, ${operation.kind} ${operation.subject}`;
      try {
        const wasCutShort = await killDuring(stage, operation, server, lots);
        if (wasCutShort) cutShort += 1;
        else late += 1;
        await server.start();
        await clearUp(stage);
        if (wasCutShort) await operation.findOutcome();
        await checkAll(stage);
        tell(`${told}: ${wasCutShort ? 'cut short' : 'acknowledged'}`);
      } catch (error) {
        violations.push(`${told}: ${error instanceof Error ? error.message : String(error)}`);
        break;
      }
    }
    return { late, violations };
  } finally {
    await server.kill();
    await database?.close().catch(() => {});
    await cluster.kill();
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

function serverOf(
  given: { readonly port: number; readonly dataDir: string; folder: string; readonly url: string },
  violations: string[],
): Victim {
  const main = programFile('packages/server/src/main.ts');
  return keptProcess({
    name: 'server',
    args: [main, '--port', String(given.port), '--data-dir', given.dataDir],
    cwd: ROOT,
    env: {
      DATABASE_URL: given.url,
      SERVERY_KIND: 'sandbox',
      SERVERY_PROFILE: 'demo',
      SERVERY_MASTER_KEY: randomBytes(32).toString('base64'),
      SERVERY_RATE_LIMIT_PER_SECOND: '1000000',
      SERVERY_RATE_LIMIT_PER_QUARTER_HOUR: '1000000000',
    },
    ready: /\bready\b/,
    logFile: join(given.folder, 'server.log'),
    onUnexpectedEnd: (how) => violations.push(`the server ended by itself: ${how}`),
  });
}

async function buildStage(given: {
  readonly port: number;
  readonly dataDir: string;
  readonly database: Database;
}): Promise<Stage> {
  const { port, dataDir, database } = given;
  const demo = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as DemoFile;
  const main = new Place(`http://127.0.0.1:${port}`, demo);
  const { restaurant } = main;
  const items = await main.as('partner', 'configuration.menuItems.list', { restaurant });
  const item: string = items.body[0].guid;
  const known = new Map<string, Known>();
  const stage = { main, item, dataDir, database, known, durations: new Map(), serial: 0 };
  await setQuantity(stage, main, 1);
  const first = creation(stage, { profile: 'demo' }, 1);
  await first.acknowledged(await first.send());
  return stage;
}

/** Sends the operation, and kills the server somewhere in it. Returns whether it got no answer. */
async function killDuring(
  stage: Stage,
  { kind, send, acknowledged }: Operation,
  server: Victim,
  lots: Lots,
): Promise<boolean> {
  const typicalMs = stage.durations.get(kind) ?? FIRST_DURATION_MS;
  const startedAt = performance.now();
  const sending = send().then(
    (received) => ({ received, tookMs: performance.now() - startedAt }),
    () => null,
  );
  await Promise.race([sending, sleep(typicalMs * lots.next() * 1.2)]);
  await server.kill();
  const sent = await sending;
  stage.durations.set(kind, sent ? sent.tookMs : typicalMs * SLOWER);
  if (!sent) return true;
  assert.ok(sent.received.status < 300, `${sent.received.status} ${sent.received.text}`);
  await acknowledged(sent.received);
  return false;
}

function draw(stage: Stage, lots: Lots): Operation {
  const { known } = stage;
  const sandboxes = [...known.values()];
  const withSnapshots = sandboxes.filter(({ snapshots }) => snapshots.size > 0);
  const open = sandboxes.filter(({ snapshots }) => snapshots.size < SNAPSHOTS_AT_MOST);
  const choices: (() => Operation)[] = [];
  if (known.size < SANDBOXES_AT_MOST) {
    choices.push(
      () => creation(stage, { profile: 'demo' }, 1),
      () => creation(stage, { sandbox: 'main' }, 1),
    );
    if (sandboxes.length > 0) {
      choices.push(() => {
        const source = lots.pick(sandboxes);
        return creation(stage, { sandbox: source.name }, source.quantity);
      });
    }
  } else choices.push(() => dropping(stage, lots.pick(sandboxes)));
  if (open.length > 0) choices.push(() => snapshot(stage, lots.pick(open)));
  if (withSnapshots.length > 0) {
    for (const act of [restoring, droppingSnapshot]) {
      choices.push(() => {
        const chosen = lots.pick(withSnapshots);
        return act(stage, chosen, lots.pick([...chosen.snapshots.keys()]));
      });
    }
  }
  return lots.pick(choices)();
}

function creation(stage: Stage, from: object, quantity: number): Operation {
  const { main, known } = stage;
  stage.serial += 1;
  const name = `made-${stage.serial}`;
  const isCopy = !('profile' in from);
  return {
    kind: isCopy ? 'copy' : 'create',
    subject: `${name} from ${JSON.stringify(from)}`,
    send: () => main.as('operator', 'backOffice.sandboxes.create', { json: { name, from } }),
    acknowledged: async ({ body }) => {
      const place = new Place(body.baseUrl, body.demo);
      known.set(name, { name, place, quantity, snapshots: new Map() });
      // Nobody counts the item in a template.
      if (!isCopy) known.set(name, { name, place, quantity: 0, snapshots: new Map() });
    },
    findOutcome: async () => {
      const { status } = await receive(`${main.url}/sandboxes/${name}/readyz`);
      assert.ok(status === 200 || status === 404, `${name} answers with ${status}`);
      if (status === 404) return;
      // Nobody has its secrets, but it is whole.
      const file = join(stage.dataDir, 'sandboxes', name, 'demo.json');
      const demo = JSON.parse(readFileSync(file, 'utf8')) as DemoFile;
      await new Place(demo.baseUrl, demo).token('partner');
      const params = { name };
      const { status: dropped } = await main.as('operator', 'backOffice.sandboxes.drop', {
        params,
      });
      assert.equal(dropped, 200);
    },
  };
}

function dropping(stage: Stage, { name, place }: Known): Operation {
  const { main, known } = stage;
  return {
    kind: 'drop',
    subject: name,
    send: () => main.as('operator', 'backOffice.sandboxes.drop', { params: { name } }),
    acknowledged: async () => {
      known.delete(name);
    },
    findOutcome: async () => {
      const { status } = await receive(`${place.url}/healthz`);
      if (status === 404) known.delete(name);
    },
  };
}

function snapshot(stage: Stage, sandbox: Known): Operation {
  const { main } = stage;
  const { name } = sandbox;
  stage.serial += 1;
  const kept = `kept-${stage.serial}`;
  const { quantity } = sandbox;
  return {
    kind: 'snapshot',
    subject: `${kept} of ${name}`,
    send: () =>
      main.as('operator', 'backOffice.sandboxes.snapshots.create', {
        ...{ params: { name }, json: { name: kept } },
      }),
    acknowledged: async () => {
      sandbox.snapshots.set(kept, quantity);
    },
    findOutcome: async () => {
      if ((await snapshotsOf(stage, name)).includes(kept)) sandbox.snapshots.set(kept, quantity);
    },
  };
}

function droppingSnapshot(stage: Stage, { name, snapshots }: Known, kept: string): Operation {
  const sent = { params: { name, snapshot: kept } };
  return {
    kind: 'drop snapshot',
    subject: `${kept} of ${name}`,
    send: () => stage.main.as('operator', 'backOffice.sandboxes.snapshots.drop', sent),
    acknowledged: async () => {
      snapshots.delete(kept);
    },
    findOutcome: async () => {
      if (!(await snapshotsOf(stage, name)).includes(kept)) snapshots.delete(kept);
    },
  };
}

/** What is there before differs from the snapshot. */
function restoring(stage: Stage, sandbox: Known, kept: string): Operation {
  const { main } = stage;
  const { name, place, snapshots } = sandbox;
  const quantity = snapshots.get(kept) ?? 0;
  stage.serial += 1;
  const changed = 1_000 + stage.serial;
  return {
    kind: 'restore',
    subject: `${kept} of ${name}`,
    send: async () => {
      await setQuantity(stage, place, changed);
      sandbox.quantity = changed;
      const sent = { params: { name }, json: { snapshot: kept } };
      return await main.as('operator', 'backOffice.sandboxes.restore', sent);
    },
    acknowledged: async () => {
      sandbox.quantity = quantity;
    },
    findOutcome: async () => {
      const found = await quantityOf(stage, place);
      const before = sandbox.quantity;
      const either = [before, quantity, changed];
      assert.ok(either.includes(found), `${name} has ${found} instead of one of ${either}`);
      sandbox.quantity = found;
    },
  };
}

async function setQuantity({ item }: Pick<Stage, 'item'>, place: Place, quantity: number) {
  const { restaurant } = place;
  const json = [{ guid: item, status: 'QUANTITY', quantity }];
  const { status, text } = await place.as('partner', 'stock.update', { restaurant, json });
  assert.equal(status, 200, text);
}

/** 0 if nobody counts it. */
async function quantityOf({ item }: Stage, place: Place): Promise<number> {
  const sent = { restaurant: place.restaurant, json: { guids: [item] } };
  const { status, text, body } = await place.as('partner', 'stock.search', sent);
  assert.equal(status, 200, text);
  return body[0]?.quantity ?? 0;
}

async function snapshotsOf({ main }: Stage, name: string): Promise<string[]> {
  const params = { name };
  const { body } = await main.as('operator', 'backOffice.sandboxes.snapshots.list', { params });
  return body.map((each: { name: string }) => each.name);
}

/** As if the time of dead makers were over, and the minute until the next clean-up. */
async function clearUp({ database, main }: Stage): Promise<void> {
  await endMaking(database.sql);
  const json = { name: 'sweeping', from: { profile: 'demo' } };
  const made = await main.as('operator', 'backOffice.sandboxes.create', { json });
  assert.equal(made.status, 201, made.text);
  const params = { name: 'sweeping' };
  const dropped = await main.as('operator', 'backOffice.sandboxes.drop', { params });
  assert.equal(dropped.status, 200, dropped.text);
}

async function checkAll(stage: Stage): Promise<void> {
  const { main, known } = stage;
  const names = [...known.keys()].sort();
  const limitAt = performance.now() + PATIENCE_MS;
  for (;;) {
    const left = await findLeft(stage, names);
    if (left === null) break;
    assert.ok(performance.now() < limitAt, left);
    await sleep(100);
  }
  assert.equal(await quantityOf(stage, main), 1, 'the main environment has lost its stock');
  for (const { name, place, quantity, snapshots } of known.values()) {
    // With the secrets that were told when it was made.
    await place.token('partner');
    assert.equal(await quantityOf(stage, place), quantity, name);
    assert.deepEqual((await snapshotsOf(stage, name)).sort(), [...snapshots.keys()].sort(), name);
  }
}

/** What is there that nobody needs; null for nothing. */
async function findLeft(
  { database, dataDir }: Stage,
  names: readonly string[],
): Promise<string | null> {
  const parts = await listSandboxParts(database.sql);
  const folders = readdirSync(join(dataDir, 'sandboxes')).sort();
  const ledgers = readdirSync(join(dataDir, 'processor', 'ledgers'))
    .map((file) => file.replace(/\.jsonl$/, ''))
    .sort();
  const expected = { sandboxes: names, databases: parts.rows, unneeded: [], folders: names };
  const found = { ...expected, ...parts, folders, ledgers, rows: undefined, ledgerIds: undefined };
  const wanted = { ...expected, ledgers: parts.ledgerIds, rows: undefined, ledgerIds: undefined };
  const [shown, should] = [JSON.stringify(sorted(found)), JSON.stringify(sorted(wanted))];
  return shown === should ? null : `there is ${shown} instead of ${should}`;
}

function sorted(value: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
