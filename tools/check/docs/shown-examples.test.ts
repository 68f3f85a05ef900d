import assert from 'node:assert/strict';
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type {
  ApiClient,
  BackOfficeOrder,
  CardKey,
  ConfigurationDocument,
  FaultRule,
  LoggedRequest,
  Person,
  Sandbox,
  SandboxSnapshot,
  StockItem,
  WebhookDelivery,
  WebhookEndpoint,
} from '@servery/contract';
import { makeTestHeaders } from '@servery/webhooks';
import { createProgram } from '../../../packages/cli/src/program.ts';
import { smallGroup } from '../../../packages/cli/test/documents.ts';
import { onceLogged } from '../../../packages/cli/test/logged.ts';
import {
  orderAt,
  payAt,
  type RemotePlatform,
  runHere,
  useRemotePlatform,
} from '../../../packages/cli/test/remote-platform.ts';
import { type ShownCommand, shownCommands } from './shown-commands.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const BACKUP = 'servery-2026-03-01.backup';
const SECRET = 'svs_of-this-test-only';

type Command = ReturnType<typeof createProgram>;

/** What is shown and not typed here, and why. */
const leftOut: Readonly<Record<string, string>> = {
  start: 'it runs until it is stopped; embedded.test.ts starts one',
  processor: 'it runs until it is stopped; processor.test.ts starts one',
  'migrate distribute': 'it needs a cluster; verify:citus makes one',
  'requests tail': 'it runs until it is stopped; requests.test.ts starts one',
  'requests replay': 'it takes a request that fits; requests.test.ts and npm run guide have some',
  conform: 'it takes a while; conform-faults.test.ts runs some checks',
  certify: 'it takes a while and an integration; certify-mutants.test.ts runs some scenarios',
  listen: 'it runs until it is stopped; listen.test.ts starts one',
  mcp: 'it runs until its input ends; mcp.test.ts starts one',
  login: 'it waits for a password; login.test.ts gives one',
  logout: 'it ends the session of a login; login.test.ts ends one',
  restore: 'it wants an empty database; backup.test.ts has one',
  'backup verify': 'it starts a PostgreSQL; backup.test.ts does',
  'encrypt --profile': 'it needs a production; clients.test.ts has one',
};

/** How those end that do not end with 0 when all is well. */
const endings: Readonly<Record<string, readonly number[]>> = {
  // The account of the examples may not do what they ask.
  'whoami --client-id readOnly --operation stock.update': [3],
  // It tells of the port, which another server of this machine may have.
  doctor: [0, 1],
  // Nobody answers there.
  'webhooks test': [6],
  // Without a name it is about the first operator, of whom there is none to come here.
  'people link': [0, 2],
  // It says whether something differs.
  'sandbox diff': [0, 5],
};

/** What there has to be before a command, beside what the sandbox has. */
const given: Readonly<Record<string, () => Promise<unknown>>> = {
  backup: () => rm(BACKUP, { force: true }),
  'config apply': writeMenu,
  'config diff': writeMenu,
  'config discard': draft,
  'config draft': writeMenu,
  'config plan': writeMenu,
  'config publish': draft,
  'config publish-group': async () => {
    await draft();
    const soup = ['menuItems', '--set', `name=Soup ${randomUUID()}`];
    await json('config', 'create', ...soup, '--restaurant', 'Nachtschwalbe');
  },
  'config rollback': async () => {
    await draft();
    await json('config', 'publish');
  },
  // Examples move the clock by more than a token lives.
  'whoami --token-file': writeToken,
  webhooks: async () => {
    if ((await endpoints()).length > 0) return;
    await json('webhooks', 'create', 'https://hooks.example.com/servery', '--client', 'partner');
  },
  // A second endpoint of this address could not be named by it.
  'webhooks create': async () => {
    for (const { guid } of await endpoints()) await json('webhooks', 'archive', guid);
  },
  'webhooks verify': receiveWebhook,
};

/** Little of what is published: reading all of it takes seconds. */
async function writeMenu(): Promise<void> {
  const { configuration, ...head } = await json<ConfigurationDocument>('config', 'export');
  const { diningOptions } = configuration;
  await writeFile('menu.yaml', JSON.stringify({ ...head, configuration: { diningOptions } }));
}

async function writeToken(): Promise<void> {
  await writeFile('token', (await run(['token'])).out);
}

/** What stands in examples for what only the platform knows, by the command or by its own name. */
async function newestRequest(): Promise<string> {
  const list = () => json<LoggedRequest[]>('requests', 'list', '--limit', '1');
  const [request] = await onceLogged(list, ({ length }) => length > 0);
  return request?.requestId ?? '';
}

const known: Readonly<Record<string, (words: readonly string[]) => Promise<string>>> = {
  $SANDBOX: async () => 'pull-42',
  'faults remove': async () => (await json<FaultRule>('faults', 'add', 'lostAnswer')).guid,
  'stock undo': async () => {
    const [item] = await json<StockItem[]>('stock', 'list', '--name', 'Apple Slices');
    return item?.lastChange?.guid ?? '';
  },
  $CLIENT: async () => {
    const clients = await json<ApiClient[]>('clients', 'list', '--type', 'partner');
    const same = clients.filter(({ name }) => name === 'Till 2');
    const live = same.find(({ revokedAt }) => revokedAt === null);
    return (live ?? same[0])?.clientId ?? '';
  },
  'clients secrets': async ([, , , client = '']) => {
    const { secrets } = await json<ApiClient>('clients', 'show', client);
    return secrets.find(({ state }) => state === 'LIVE')?.guid ?? '';
  },
  'people roles': async ([, , , person = '']) =>
    (await json<Person>('people', 'show', person)).roles.at(-1)?.roleGuid ?? '',
  'requests show': newestRequest,
  explain: newestRequest,
  'alarms acknowledge': async () => {
    await payAt(platform, [
      '--card',
      'Approved; a void finds it captured already',
      '--amount',
      '1',
    ]);
    await json('clock', 'advance', '5m');
    return (await first<{ guid: string }>('alarms', 'list')).guid;
  },
  'webhooks secrets': async ([, , , endpoint = '']) => {
    const { secrets } = await json<WebhookEndpoint>('webhooks', 'show', endpoint);
    return secrets[0]?.guid ?? '';
  },
  'webhooks attempts': delivery,
  'webhooks drop': delivery,
  'keys activate': () => cardKey('PENDING'),
  'keys retire': () => cardKey('ACTIVE'),
  'keys destroy': () => cardKey('DECRYPT_ONLY'),
  $RESTAURANT: async () => platform.demo.restaurants[0]?.guid ?? '',
  $TOTAL: async () => '12.50',
  $PLACED: () => order(),
  'orders approve': () => order('manual'),
  'orders reject': () => order('manual'),
  'orders void-payment': async ([, , placed]) => (placed ? paymentOf(placed) : order()),
  'orders void-item': ([, , placed]) => (placed ? part(placed, 'selections') : order()),
  orders: () => order(),
  'payments show': () => payment(),
  'payments events': () => payment(),
  'payments void': () => payment(),
  'payments apply': () => payment(),
  'payments fulfil': () => payment('apply'),
  'payments capture': () => payment('apply', 'fulfil'),
  'payments tip': () => payment('apply'),
};

/** What is shown in several places is typed once, but for what the examples below it are about. */
const typedAgain = /^(clients create|keys issue|webhooks create) /;
const typedBefore = new Set<string>();

/** Whatever stands for something of the platform is filled in anew, so it may have any name. */
const formOf = (words: readonly string[]) =>
  words.map((word) => (/^\$[A-Z]+$|…$/.test(word) ? '…' : word)).join(' ');

let platform: RemotePlatform;
let approvalNow: string | undefined;
const home = process.cwd();

after(() => process.chdir(home));
// The last of its process: examples leave behind more than others could use.
useRemotePlatform(async (shared) => {
  platform = shared;
  const folder = path.join(platform.dataDir, 'typed-here');
  await mkdir(folder);
  process.chdir(folder);
  const { baseUrl, clients } = platform.demo;
  const { clientId, clientSecret } = clients.operator;
  const other = ['env', 'add', 'other', '--url', baseUrl, '--client-id', clientId];
  assert.equal((await run(other, { SERVERY_CLIENT_SECRET: clientSecret })).code, 0);
  await writeFile('changes.yaml', changesOfPage());
  await writeFile('group.json', JSON.stringify(smallGroup('Trip')));
  await writeFile('my-group.json', JSON.stringify(smallGroup('Mine')));
  await writeToken();
});

// One after the other, as they are read: an example may need those above it.
examplesOf(
  '--help',
  helpLines(newProgram()).flatMap((line) => shownCommands(line, true)),
);
for (const page of globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT }).sort()) {
  const shown = shownCommands(readFileSync(ROOT + page, 'utf8'), false);
  const typed = shown.filter(({ isWhole }) => isWhole);
  examplesOf(page, typed);
}

function examplesOf(place: string, shown: readonly ShownCommand[]): void {
  const fresh = shown.filter(({ words }) => {
    const typed = formOf(words);
    return !typedBefore.has(typed) || typedAgain.test(typed);
  });
  if (fresh.length === 0) return;
  describe(`the examples of ${place}`, () => {
    for (const { words, line } of fresh) {
      typedBefore.add(formOf(words));
      const called = `${place}:${line} servery ${words.join(' ')}`;
      const skip = leftOut[words.slice(0, 2).join(' ')] ?? leftOut[words[0] ?? ''] ?? false;
      test(`${called} works when it is typed`, { skip }, () => works(words));
    }
  });
}

test('every command that does something shows an example', () => {
  const without = leaves(newProgram(), []).filter(([, one]) => exampleLines(one).length === 0);
  assert.deepEqual(
    without.map(([name]) => name).filter((name) => !/(^| )(help|complete)$/.test(name)),
    [],
  );
});

async function works(words: readonly string[]): Promise<void> {
  await nameOf(given, words)?.();
  const typed: string[] = [];
  for (const word of words) typed.push(await filled(word, words, typed));
  await prepareSandboxes(typed);
  const { code, err } = await run(typed, { SERVERY_CLIENT_SECRET: SECRET });
  if (words[0] === 'restaurants') approvalNow = undefined;
  // Its rules would refuse the examples below.
  if (words[0] === 'faults') await json('faults', 'profile', 'perfect');
  const line = words.join(' ');
  const ending = Object.entries(endings).find(([begin]) => line.startsWith(begin))?.[1] ?? [0];
  assert.ok(ending.includes(code ?? -1), `${typed.join(' ')} ended with ${code}: ${err}`);
}

/** The word with what it stands for. */
async function filled(
  word: string,
  words: readonly string[],
  before: readonly string[],
): Promise<string> {
  // What a shell would put there: something new, or standard input.
  if (word.startsWith('$(') && words[0] !== 'explain') return randomUUID();
  if (word === '91d0…' && words[0] !== 'orders') return randomUUID();
  if (word === '-') return 'token';
  if (!/^\$[A-Z]+$|^\$\(|…$/.test(word)) return word;
  const find = known[word] ?? nameOf(known, words);
  assert.ok(find, `nobody knows what ${word} is`);
  return await find(before);
}

function nameOf<Value>(values: Readonly<Record<string, Value>>, words: readonly string[]) {
  return values[words.slice(0, 2).join(' ')] ?? values[words[0] ?? ''];
}

function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { dataDir, databaseUrl } = platform;
  return runHere(args, {
    ...{ SERVERY_DATA_DIR: dataDir, DATABASE_URL: databaseUrl, XDG_CONFIG_HOME: dataDir },
    // A secret of nobody: what takes it up has to take one from elsewhere.
    ...(args[0] === 'env' ? env : {}),
  });
}

/** By the command as it is typed, so that it keeps the accounts where examples look for them. */
async function runWell(...args: string[]): Promise<void> {
  const { code, err } = await run(args);
  assert.equal(code, 0, `servery ${args.join(' ')}: ${err}`);
}

const json = <Body>(...args: string[]) => platform.json<Body>(args);

async function first<Item>(...args: string[]): Promise<Item> {
  const [item] = await json<Item[]>(...args, '--limit', '1');
  assert.ok(item, `servery ${args.join(' ')} shows nothing`);
  return item;
}

async function cardKey(state: CardKey['state']): Promise<string> {
  const keys = await json<CardKey[]>('keys', 'list', 'partner');
  return keys.findLast((key) => key.state === state)?.keyId ?? '';
}

async function payment(...moves: readonly ('apply' | 'fulfil')[]): Promise<string> {
  const amounts = ['--amount', '12.50', '--tip', '3'];
  const uuid = await payAt(platform, ['--card', '4111111111111111', ...amounts]);
  for (const move of moves) {
    await json('payments', move, uuid, ...(move === 'apply' ? ['--check', randomUUID()] : []));
  }
  return uuid;
}

/** Scheduled, so that the clock leaves it alone. */
async function order(approval: 'auto' | 'manual' = 'auto'): Promise<string> {
  const { guid = '' } = platform.demo.restaurants[0] ?? {};
  if (approval !== approvalNow) {
    await json('restaurants', 'edit', guid, '--set', `orders.approval=${approval}`);
  }
  approvalNow = approval;
  const { now } = await json<{ now: string }>('clock');
  const later = new Date(Date.parse(now) + 2 * 3_600_000).toISOString();
  return (await orderAt(platform, later)).guid ?? '';
}

async function part(placed: string, kind: 'checks' | 'selections'): Promise<string> {
  const shown = await json<BackOfficeOrder>('orders', 'show', placed);
  const [check] = shown.order.checks;
  return (kind === 'checks' ? check?.guid : check?.selections[0]?.guid) ?? '';
}

async function paymentOf(placed: string): Promise<string> {
  const check = await part(placed, 'checks');
  const money = ['--check', check, '--amount', '1'];
  const paid = await json<BackOfficeOrder>('orders', 'pay', placed, ...money);
  return paid.order.checks[0]?.payments[0]?.guid ?? '';
}

const endpoints = () => json<WebhookEndpoint[]>('webhooks', 'list');

async function delivery(): Promise<string> {
  const test = ['webhooks', 'test', 'hooks.example.com', '--no-wait'];
  return (await json<WebhookDelivery>(...test)).guid;
}

/** The files of a webhook that just came. */
async function receiveWebhook(): Promise<void> {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const body = JSON.stringify({ guid: randomUUID(), timestamp: '2026-01-01T00:00:00.000Z' });
  const headers = Object.entries(makeTestHeaders({ body, secrets: secret }));
  await writeFile('secret', secret);
  await writeFile('body.json', body);
  await writeFile('headers.txt', headers.map(([name, value]) => `${name}: ${value}\n`).join(''));
}

/** There is every sandbox and snapshot that the words name, but for what they create. */
async function prepareSandboxes(words: readonly string[]): Promise<void> {
  const isCreated = words[0] === 'sandbox' && words[1] === 'create';
  const isOfSnapshot = words[1] === 'restore' || words[1] === 'drop-snapshot';
  for (const named of words.filter((word) => word.startsWith('pull-42'))) {
    const [name = '', inName] = named.split('@');
    const sandboxes = await json<Sandbox[]>('sandbox', 'list');
    const isThere = sandboxes.some((one) => one.name === name);
    if (isCreated && named === words[2]) {
      if (isThere) await runWell('sandbox', 'drop', name);
      continue;
    }
    if (!isThere) await runWell('sandbox', 'create', name);
    const snapshot = inName ?? (isOfSnapshot ? words[3] : undefined);
    if (snapshot === undefined) continue;
    const snapshots = await json<SandboxSnapshot[]>('sandbox', 'snapshots', name);
    if (snapshots.some((one) => one.name === snapshot)) continue;
    await runWell('sandbox', 'snapshot', name, snapshot);
  }
}

/** A draft of a change that nobody made before. */
async function draft(): Promise<void> {
  const item = ['menuItems', 'Apple Pie with Cheddar'];
  await json('config', 'edit', ...item, '--set', `calories=${randomInt(10_000)}`);
}

/** The list of changes that docs/reference/cli.md shows. */
function changesOfPage(): string {
  const page = readFileSync(`${ROOT}docs/reference/cli.md`, 'utf8');
  return /```yaml\n# changes\.yaml\n([^`]+)```/.exec(page)?.[1] ?? '';
}

function newProgram(): Command {
  return createProgram({
    env: {},
    terminal: { out: new PassThrough(), err: new PassThrough() },
    signal: new AbortController().signal,
  });
}

/** The lines of all examples, each once: those of a command, then those of the commands below. */
function helpLines(command: Command): string[] {
  const below = command.commands.flatMap(helpLines);
  return [...new Set([...exampleLines(command), ...below])];
}

function exampleLines(command: Command): string[] {
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text) });
  command.outputHelp();
  const [, lines = ''] = /^Examples?:\n((?: {2}.*\n)+)/m.exec(help) ?? [];
  return lines.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
}

/** Every command that does something, by its name. */
function leaves(command: Command, above: readonly string[]): [string, Command][] {
  return command.commands.flatMap((one): [string, Command][] => {
    const name = [...above, one.name()];
    return one.commands.length > 0 ? leaves(one, name) : [[name.join(' '), one]];
  });
}
