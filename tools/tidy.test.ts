import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { applyExceptions, exceptions } from './tidy/exceptions.ts';
import { describeFinding, type Finding } from './tidy/finding.ts';
import { findAll } from './tidy/rules.ts';
import { readSource } from './tidy/source.ts';

const SERVER = 'packages/server/src';
const STOCK = `${SERVER}/stock/update.ts`;
const STORE = `${SERVER}/stock/store.ts`;
const TEST = `${SERVER}/stock/update.test.ts`;
const MIGRATION = 'packages/server/migrations/0009-orders.sql';

/** The ids of the rules that a file breaks, each as often as it does. */
function rulesBroken(path: string, text: string): string[] {
  return findAll([readSource(path, text)]).map(({ rule }) => rule);
}

/** What breaks a rule, and what does not: a path and a text each. */
type Samples = readonly (readonly [path: string, text: string])[];

const samples: Record<string, { bad: Samples; good: Samples }> = {
  any: {
    bad: [
      [STOCK, 'const x: any = 1;'],
      [STOCK, 'f(x as any);'],
      [TEST, 'const x: Map<string, any[]> = y;'],
    ],
    good: [[STOCK, "const any: unknown = 'any';"]],
  },
  'non-null': {
    bad: [
      [STOCK, 'f(x!.y);'],
      [STOCK, 'let x!: number;'],
      [STOCK, 'class A { x!: number }'],
    ],
    good: [
      [STOCK, 'f(!x, x != y);'],
      [TEST, 'f(x!);'],
      ['packages/server/test/rows.ts', 'f(x!);'],
    ],
  },
  'types-silenced': {
    bad: [
      [STOCK, '// @ts-ignore\nf();'],
      [STOCK, '// @ts-nocheck\nf();'],
    ],
    good: [
      [STOCK, '// @ts-expect-error\nf();'],
      [STOCK, "f('@ts-ignore');"],
    ],
  },
  environment: {
    bad: [
      [STOCK, 'f(process.env.HOME);'],
      [STOCK, 'const { env } = process;'],
      [STOCK, "import { env } from 'node:process';"],
      ['tools/setup.mjs', 'f(process.env.HOME);'],
    ],
    good: [
      [`${SERVER}/main.ts`, 'f(process.env);'],
      ['packages/cli/src/main.ts', 'f(process.env);'],
      [STOCK, 'f(process.argv, config.env);'],
    ],
  },
  time: {
    bad: [
      [STOCK, 'f(Date.now());'],
      [STOCK, 'f(Date.now);'],
      [STOCK, 'f(new Date());'],
      [STOCK, 'f(Date());'],
      [STOCK, 'setTimeout(f, 1);'],
      [STOCK, 'globalThis.setTimeout(f, 1);'],
      [STOCK, 'const timer = setInterval(f, 1);'],
      [TEST, 'await new Promise(setImmediate);'],
      [STOCK, 'f({ setTimeout });'],
      [STOCK, "import { setTimeout as sleep } from 'node:timers/promises';"],
      [STOCK, 'f(AbortSignal.timeout(1));'],
      [STOCK, 'f(globalThis.Date.now());'],
      [STOCK, 'const { now } = Date;'],
      [STOCK, 'f(Temporal.Now.instant());'],
      [TEST, 'f(Temporal.Now.instant());'],
      [STOCK, 'const { Now } = Temporal;'],
      [STOCK, 'f(performance.now());'],
      [STOCK, 'f(performance.timeOrigin);'],
      [STOCK, 'const { now: stopwatch } = performance;'],
      [STOCK, "import { performance as stopwatch } from 'node:perf_hooks';"],
      [STOCK, 'f(process.hrtime.bigint());'],
      [STOCK, 'f(process.uptime());'],
      [STOCK, "import { setInterval as ticks } from 'timers/promises';"],
      [STOCK, "const { setTimeout: sleep } = await import('node:timers');"],
    ],
    good: [
      [STOCK, 'f(new Date(clock.nowMs()), clock.now(), Date.UTC(2026));'],
      [STOCK, 'socket.setTimeout(1); f({ setTimeout: 1 }); clearTimeout(timer);'],
      ['packages/support/src/runner.ts', 'setInterval(f, 1);'],
      ['packages/support/src/clock.ts', 'f(Date.now(), performance.now());'],
      [STOCK, 'f(Temporal.Instant.from(text), Temporal.Duration.from(text), row.now);'],
      [TEST, 'f(performance.now());'],
      ['tools/setup.mjs', 'f(performance.now(), process.hrtime.bigint());'],
    ],
  },
  'sql-place': {
    bad: [
      [STOCK, 'await sql`select 1`;'],
      [STOCK, 'await sql<Row[]>`select 1`;'],
      [STOCK, 'await database.sql`select 1`;'],
      [STOCK, "await sql.unsafe('select 1');"],
      [STOCK, 'await sql.unsafe(statement);'],
      [STOCK, 'await sql.touching([x])`update note set a = 1`;'],
      [`${SERVER}/stock/restore.ts`, 'await sql`select 1`;'],
    ],
    good: [
      [STORE, 'await sql`select 1`;'],
      [`${SERVER}/stock/write-store.ts`, 'await sql`select 1`;'],
      [`${SERVER}/database/processes.ts`, 'await sql`select 1`;'],
      [TEST, 'await sql`select 1`;'],
      [STOCK, 'f(String.raw`select 1`);'],
    ],
  },
  'sql-words': {
    bad: [
      [STORE, 'await sql`update stock set at = now()`;'],
      [STORE, 'await sql`update stock set at = NOW ()`;'],
      [STORE, 'await sql`update stock set at = current_timestamp`;'],
      [STORE, 'await sql.touching([x])`update note set at = now()`;'],
      [STORE, 'const t = sql.touching([x]); await t<R>`update note set at = now()`;'],
      [STORE, "await sql.unsafe('select clock_timestamp()');"],
      [STORE, 'await sql`select statement_timestamp(), 1`;'],
      [STORE, 'await sql`select transaction_timestamp()`;'],
      [STORE, 'await sql`select LocalTime`;'],
      [STORE, 'await sql`select current_date`;'],
      [STORE, 'await sql`select timeofday()`;'],
      [STORE, "await sql`select 'now'::timestamptz`;"],
      [MIGRATION, "create table x (at timestamptz default 'now');"],
      [MIGRATION, 'create table x (at date default current_date);'],
      [STORE, 'await sql`select pg_advisory_lock(1)`;'],
      [STORE, 'await sql`listen changes`;'],
      [STORE, "await sql`select pg_notify('changes', '')`;"],
      [STORE, "await sql`select nextval('x')`;"],
      [STORE, "await sql`select set_config('a', 'b', false)`;"],
      ['packages/postgres/src/migrate.ts', "await sql.unsafe('set session a = 1');"],
      [MIGRATION, 'create table x (id bigserial);'],
      [MIGRATION, 'create table x (id int generated always as identity);'],
      [MIGRATION, 'create sequence x;'],
      [MIGRATION, 'create trigger x;'],
      [MIGRATION, 'create or replace\nprocedure x;'],
      [MIGRATION, 'create table x (at timestamptz default now());'],
    ],
    good: [
      [STORE, `await sql\`update stock set at = $\{now}\`;`],
      [STORE, 'await sql`select now from stock`;'],
      ['packages/postgres/src/clock-reading.ts', 'await sql`select clock_timestamp()`;'],
      [MIGRATION, '-- There is no now(), trigger or sequence.\ncreate table x (identity text);'],
      [STORE, "await sql`select set_config('a', 'b', true)`;"],
      [TEST, "await sql.unsafe('create function f()');"],
    ],
  },
  touching: {
    bad: [
      [STORE, 'await sql`insert into stock values (1)`;'],
      [STORE, 'await sql<Row[]>`UPDATE\n restaurant set name = null`;'],
      [STORE, 'await database.sql`delete from only connection`;'],
      [STORE, `await sql\`with x as (delete from api_client where a = $\{b}) select 1\`;`],
      [STORE, 'await sql`merge into card_key using x`;'],
      [STORE, 'await sql.touching([x]); await sql`update signing_key set a = 1`;'],
    ],
    good: [
      [STORE, 'await sql.touching([x])`insert into stock values (1)`;'],
      [STORE, 'const t = sql.touching(f); await t<Row[]>`update restaurant set a = 1`;'],
      [STORE, 'await sql`update stock_change set a = 1`;'],
      [STORE, 'await sql`select from restaurant for no key update`;'],
      [STORE, 'await sql`select stock from connection`;'],
      [TEST, 'await sql`insert into stock values (1)`;'],
      ['tools/fill/store.ts', 'await sql`insert into stock values (1)`;'],
    ],
  },
  'store-verb': {
    bad: [[STORE, '/** A. */\nexport async function getItem() {}']],
    good: [
      [STORE, '/** A. */\nexport async function findItem() {}'],
      [STORE, '/** A. */\nexport async function claimDueItems() {}'],
      [STORE, '/** A. */\nexport function itemOf() {}'],
      [STOCK, '/** A. */\nexport async function getItem() {}'],
    ],
  },
  loaded: {
    bad: [
      ['packages/contract/src/a.ts', "import Type from 'typebox';"],
      ['packages/contract/src/a.ts', "import Type, { type Static } from 'typebox';"],
      ['packages/contract/src/a.ts', "import 'typebox';"],
      ['packages/contract/src/a.ts', "export { Type } from 'typebox';"],
      ['packages/contract/src/a.ts', "await import('typebox');"],
    ],
    good: [
      ['packages/contract/src/a.ts', "import type { Static } from 'typebox';"],
      ['packages/contract/src/a.ts', "export type { Static } from 'typebox';"],
      ['packages/contract/src/a.test.ts', "import Type from 'typebox';"],
    ],
  },
  arrows: {
    bad: [
      ['packages/contract/src/a.ts', "import '@servery/server/config/config.ts';"],
      ['packages/contract/src/a.ts', "import '../../server/src/config.ts';"],
      ['acceptance/src/a.ts', "import '@servery/server/config/config.ts';"],
      ['bench/src/a.ts', "import type { A } from '../../packages/server/src/config.ts';"],
      ['packages/cli/src/a.ts', "import '../../../acceptance/src/client.ts';"],
      ['packages/cli/src/a.ts', "import '@servery/server/boot/server.ts';"],
      [`${SERVER}/http/a.ts`, "import '../stock/store.ts';"],
      [`${SERVER}/http/a.ts`, "export * from '../stock/store.ts';"],
      [`${SERVER}/http/a.ts`, "await import('../stock/store.ts');"],
      [STOCK, "import '../partners/routes.ts';"],
      [STOCK, "import '../backoffice/import.ts';"],
      [STOCK, "import '../sandbox/prepare.ts';"],
      [STOCK, "import '../config.ts';"],
      [STOCK, "import '../../test/rows.ts';"],
      [`${SERVER}/backoffice/a.ts`, "import '../sandbox/prepare.ts';"],
      [`${SERVER}/support/a.ts`, "import '../database/database.ts';"],
      [`${SERVER}/database/a.ts`, "import '../http/errors.ts';"],
      [`${SERVER}/freshness/a.ts`, "import '../database/database.ts';"],
      ['packages/postgres/src/a.ts', "import '@servery/server/freshness/cache.ts';"],
      ['packages/support/src/a.ts', "import '@servery/postgres/sql.ts';"],
      [`${SERVER}/secrets.ts`, "import './server.ts';"],
      [`${SERVER}/secrets.ts`, "import './main.ts';"],
    ],
    good: [
      [STOCK, "import './routes.ts'; import '../partners/access.ts';"],
      [STOCK, "import '@servery/contract'; import '../http/errors.ts'; import 'pino';"],
      [`${SERVER}/run.ts`, "import './server.ts';"],
      ['packages/cli/src/commands/start.ts', "import '@servery/server/boot/run.ts';"],
      [`${SERVER}/sandbox/a.ts`, "import '../backoffice/import.ts';"],
      [`${SERVER}/database/a.ts`, "import '@servery/support/clock.ts';"],
      ['packages/server/test/a.ts', "import '../src/server.ts';"],
      ['packages/cli/test/a.ts', "import '../../server/test/database.ts';"],
      ['acceptance/src/a.ts', "import '@servery/contract';"],
    ],
  },
  sentence: {
    bad: [
      [STOCK, '// counts\nf();'],
      [STOCK, '// Counts\nf();'],
      [STOCK, '/** Counts */\nf();'],
      [STOCK, '// f(x);\nf();'],
      [STOCK, 'f(); // counts.\n// Another one.'],
    ],
    good: [
      [STOCK, '// Counts what is there,\n// for the guest.\nf();'],
      [STOCK, '// `f` counts:\nf();'],
      [STOCK, '/**\n * Counts.\n *\n * @param x number\n */\nf();'],
      [STOCK, '// biome-ignore lint/x: y\nf();'],
      ['packages/cli/bin/x.mjs', '#!/usr/bin/env node\n// Counts.\nf();'],
    ],
  },
  later: {
    bad: [
      [STOCK, '// TODO: count.\nf();'],
      [STOCK, '/** Counts. FIXME. */\nf();'],
    ],
    good: [[STOCK, "f('TODO');"]],
  },
  documented: {
    bad: [
      [STOCK, 'export function f() {}'],
      [STOCK, '// No doc comment.\nexport class A {}'],
      [STOCK, '/* No doc comment. */\nexport interface A {}'],
      [STOCK, '/** Of something else. */\nf();\nexport type A = 1;'],
      [STOCK, '/** Counts. */\nexport const a = 1;\nexport const b = 1;'],
      [STOCK, 'export default 1;'],
    ],
    good: [
      [STOCK, '/** Counts. */\nexport function f() {}'],
      [STOCK, '/** A line of stock. */\nexport const Line = 1;\nexport type Line = 1;'],
      [STOCK, '/** Counts. */\n// biome-ignore lint/x: y\nexport const a = 1;'],
      [STOCK, "function f() {}\nexport { f };\nexport { g } from 'g';"],
    ],
  },
  'tests-run': {
    bad: [
      [TEST, "test.only('a', f);"],
      [TEST, "describe.skip('a', f);"],
      [TEST, "test.todo('a');"],
      [TEST, 't.skip();'],
      [TEST, "test('a', { skip: true }, f);"],
      [TEST, "test('a', { todo: 'later' }, f);"],
    ],
    good: [
      [TEST, "test('a', f);"],
      [TEST, "test('a', { skip: isRoot ? 'not for root' : false }, f);"],
      [TEST, 'reader.skip();'],
    ],
  },
  drawer: {
    bad: [
      [`${SERVER}/stock/utils.ts`, ''],
      [`${SERVER}/helpers/stock.ts`, ''],
      [`${SERVER}/lib/stock.ts`, ''],
      ['docs/misc.md', ''],
    ],
    good: [[`${SERVER}/stock/shared-stock.ts`, '']],
  },
  'machine-path': {
    bad: [
      ['docs/start.md', `Go to /${'home'}/anna/servery.`],
      ['docs/start.md', `Go to C:\\${'Users'}\\anna.`],
      [STOCK, `f('/${'work'}/main');`],
    ],
    good: [['docs/start.md', 'Go to your home/anna, or https://example.com/home/x.']],
  },
  'registry-host': {
    bad: [
      ['package-lock.json', `"resolved": "https://${'registry'}.npmjs.org/x.tgz"`],
      ['.npmrc', `//${'registry'}.example.com:8080/`],
    ],
    good: [['docs/start.md', 'The npm registry at https://example.com/x.']],
  },
  'outside-page': {
    bad: [['docs/start.md', `See [this](../../${'..'}/shared/spec.md).`]],
    good: [['docs/start.md', 'See [this](shared.md).']],
  },
};

describe('tidy', () => {
  for (const [rule, { bad, good }] of Object.entries(samples)) {
    test(`${rule} finds what breaks it, once, and nothing else`, () => {
      for (const [path, text] of bad) {
        const found = rulesBroken(path, text).filter((broken) => broken === rule);
        assert.equal(found.length, 1, `${path}: ${text}`);
      }
      for (const [path, text] of good) {
        assert.ok(!rulesBroken(path, text).includes(rule), `${path}: ${text}`);
      }
    });
  }

  test('circle finds files that import each other, with the way round', () => {
    const sources = [
      readSource(`${SERVER}/stock/a.ts`, "import './b.ts';"),
      readSource(`${SERVER}/stock/b.ts`, "import type { C } from './c.ts';"),
      readSource(`${SERVER}/stock/c.ts`, "import './b.ts';"),
      readSource(`${SERVER}/stock/d.ts`, "import './a.ts'; import './b.ts';"),
    ];
    const [only, ...others] = findAll(sources).map(describeFinding);
    const way = `${SERVER}/stock/b.ts → ${SERVER}/stock/c.ts → ${SERVER}/stock/b.ts`;
    assert.match(only ?? '', new RegExp(`^${SERVER}/stock/b.ts:1 circle: .*${way}`));
    assert.deepEqual(others, []);
  });

  test('a finding tells path, line, rule, what is wrong and what to use', () => {
    const [finding] = findAll([readSource(STOCK, '\n\nsetTimeout(f, 1);\n')]);
    assert.ok(finding);
    assert.match(
      describeFinding(finding),
      /^packages\/server\/src\/stock\/update\.ts:3 time: .+\. Use .+ instead\.$/,
    );
  });
});

describe('tidy: the table of exceptions', () => {
  const finding: Finding = { path: STOCK, line: 1, rule: 'time', message: '`Date.now`.' };
  const reason = 'A sample.';

  test('a row excuses its rule in its file or folder only', () => {
    const left = (path: string, rule = 'time') =>
      applyExceptions([finding], [{ rule, path, reason }]).some((one) => one === finding);
    assert.equal(left(STOCK), false);
    assert.equal(left(`${SERVER}/`), false);
    assert.equal(left(STORE), true);
    assert.equal(left(SERVER), true);
    assert.equal(left(STOCK, 'any'), true);
  });

  test('a row with a word excuses only findings that mention it', () => {
    const row = { rule: 'time', path: STOCK, reason };
    assert.deepEqual(applyExceptions([finding], [{ ...row, mentions: 'Date.now' }]), []);
    assert.equal(applyExceptions([finding], [{ ...row, mentions: 'setTimeout' }]).length, 2);
  });

  test('a row that nothing needs is a finding', () => {
    const [unused] = applyExceptions([], [{ rule: 'time', path: STOCK, reason }]);
    assert.equal(unused?.rule, 'unused-exception');
  });

  test('every row gives its reason as a sentence', () => {
    for (const row of exceptions) assert.match(row.reason, /^[A-Z].+\.$/);
  });
});
