import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createProgram } from '../src/program.ts';
import { runHere } from './remote-platform.ts';

const GUID = '11111111-1111-4111-8111-111111111111';

type Command = ReturnType<typeof createProgram>;

/** Whatever works without a platform, on the database, or, as logout, after something else. */
const withoutPlatform = new RegExp(
  '^(start|import|export|generate|processor|backup|restore|migrate|doctor|cards|completion|' +
    'env|logout|people link|webhooks verify|conform)|help$',
);

const words: Readonly<Record<string, string>> = {
  instant: '2026-03-29T01:30:00Z',
  duration: '5m',
  number: '7',
  collection: 'menuItems',
  email: 'ada@example.com',
  event: 'partner_added',
  address: 'https://hooks.example.com/',
  client: 'operator',
  fault: 'lostAnswer',
  profile: 'perfect',
  'key-id': 'ECDH-ES::x',
  sandbox: 'pull-42',
  snapshot: 'before-lunch',
  before: 'main',
  after: 'pull-42',
};

const options: Readonly<Record<string, string>> = {
  type: 'back-office',
  scopes: 'clock:read',
  role: 'restaurant-administrator',
  check: GUID,
  card: '4111111111111111',
  amount: '12.50',
  ttl: '2h',
  command: 'true',
};

/** What some commands need beside what they require. */
const more: Readonly<Record<string, readonly string[]>> = {
  'stock set': ['Soup', 'out'],
  'restaurants create': ['--name', 'X', '--group', GUID, '--time-zone', 'UTC', '--currency', 'EUR'],
  encrypt: ['--restaurant', GUID, '--origin-ip', '192.0.32.10'],
  'connections edit': ['--restaurant-ref', 'X'],
  'webhooks edit': ['--ordered'],
  'webhooks replay': ['--failed'],
  'sandbox drop': ['pull-42'],
  login: ['--email', 'ada@example.com'],
  trigger: ['--partner', GUID],
  whoami: ['--operation', 'stock.list'],
};

/** Every command that does something, with the names of those around it. */
function leaves(command: Command, before: readonly string[]): [string[], Command][] {
  return command.commands.flatMap((one): [string[], Command][] => {
    const name = [...before, one.name()];
    return one.commands.length > 0 ? leaves(one, name) : [[name, one]];
  });
}

const program = createProgram({
  env: {},
  terminal: { out: process.stdout, err: process.stderr },
  signal: new AbortController().signal,
});
const remote = leaves(program, []).filter(
  ([name]) => !withoutPlatform.test(name.join(' ')) && name[0] !== 'complete',
);

let folder: string;
let file: string;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'servery-cli-every-'));
  file = path.join(folder, 'file.yaml');
  await writeFile(file, 'name: x\n');
});
after(() => rm(folder, { recursive: true, force: true }));

/** A line that is as the command wants it. */
function lineOf(name: readonly string[], command: Command): string[] {
  const required = command.registeredArguments.filter((word) => word.required);
  const given = required.map((word) =>
    word.name() === 'file' ? file : (words[word.name()] ?? GUID),
  );
  const needed = command.options.filter((option) => option.mandatory);
  const flags = needed.flatMap((option) => [
    option.long ?? '',
    options[option.attributeName()] ?? 'some words',
  ]);
  const takesFields = takes(command, '--set');
  const field = name.at(-1) === 'tip-withholding' ? 'percentage=0.5' : 'name=x';
  const place = takes(command, '--restaurant') ? GUID : null;
  return [
    ...name,
    ...given,
    ...flags,
    ...(takesFields ? ['--set', field] : []),
    ...(place === null ? [] : ['--restaurant', place]),
    ...(takes(command, '--password-file') ? ['--password-file', file] : []),
    ...(more[name.join(' ')] ?? []),
  ];
}

const run = (args: readonly string[]) =>
  runHere(args, {
    SERVERY_DATA_DIR: folder,
    XDG_CONFIG_HOME: folder,
    SERVERY_URL: 'http://127.0.0.1:9',
    SERVERY_CLIENT_ID: 'operator',
    SERVERY_CLIENT_SECRET: 'svs_of-this-test-only',
  });

describe('servery, every command', { concurrency: 2 }, () => {
  for (const [name, command] of remote) {
    const called = `servery ${name.join(' ')}`;
    test(`${called} exits with 1 where no platform is, and says what to do`, async () => {
      const { code, out, err } = await run(lineOf(name, command));
      assert.deepEqual([code, out], [1, ''], err);
      assert.match(err, /cannot reach a platform at http:\/\/127\.0\.0\.1:9: /);
      assert.doesNotMatch(err, /svs_/);
    });
    test(`${called} tells by --help how it is used, in lines for the terminal`, async () => {
      const out = await helpIn60(name);
      assert.match(out, /\nExamples?:\n {2}(servery|curl) /);
      assert.match(out, /--url <address>/);
    });
  }

  // All commands are read by the same code: one of each family shows that none passes words on.
  for (const [[name, command] = assert.fail()] of Map.groupBy(
    remote,
    ([[first]]) => first,
  ).values()) {
    test(`servery ${name.join(' ')} exits with 2 for a flag that there is not`, async () => {
      const { code, out, err } = await run([...lineOf(name, command), '--no-such-flag']);
      assert.deepEqual([code, out], [2, '']);
      assert.match(err, /unknown option '--no-such-flag'/);
    });
  }

  test('servery: every other help is in lines for the terminal, too', async () => {
    const groups = new Set(leaves(program, []).flatMap(([name]) => [name, name.slice(0, -1)]));
    for (const name of groups) {
      // The server tells of its own flags.
      if (name[0] === 'start' || name[0] === 'complete') continue;
      if (!remote.some(([one]) => one.join(' ') === name.join(' '))) await helpIn60(name);
    }
    const { out } = await run(['clients', 'create', '--help']);
    const body = out.slice(0, out.indexOf('\nExample'));
    const longest = Math.max(...body.split('\n').map((line) => line.length));
    assert.ok(longest > 60 && longest <= 80, `a line has ${longest} characters`);
  });

  test('servery: every command takes --json, but for those whose output is no data', () => {
    const without = leaves(program, [])
      .filter(([, command]) => !takes(command, '--json'))
      .map(([name]) => name.join(' '));
    // A document that is JSON anyway, a server, and scripts.
    const known =
      /^(start|export( postman| help)?|generate|processor|encrypt|completion|complete|help)$/;
    assert.deepEqual(
      without.filter((name) => !known.test(name)),
      [],
    );
  });
});

/** Whether it has the flag, by itself or from those around it. */
function takes(command: Command, flag: string): boolean {
  const isOwn = command.options.some(({ long }) => long === flag);
  return isOwn || (command.parent !== null && takes(command.parent as Command, flag));
}

/** A help in lines of 60 characters. */
async function helpIn60(name: readonly string[]): Promise<string> {
  const { code, out } = await runHere([...name, '--help'], { COLUMNS: '60' });
  assert.equal(code, 0);
  const typed = /^(Usage: .*|Examples?:\n( .*\n)+)/gm;
  // A word alone is not broken.
  const long = out
    .replace(typed, '')
    .split('\n')
    .filter((line) => line.length > 60 && / /.test(line.trim()));
  assert.deepEqual(long, [], name.join(' '));
  return out;
}
