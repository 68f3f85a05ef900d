import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  distributedTables,
  knownTables,
  referenceTables,
  unheldReferences,
} from '../../src/database/distribute-store.ts';

const SCHEMA = fileURLToPath(new URL('../../migrations/schema.sql', import.meta.url));
const SOURCE = fileURLToPath(new URL('../../src/', import.meta.url));

const tables = Object.keys(distributedTables).join('|');
const ofWorkers = new RegExp(`\\b(from|join|into|update|using) (${tables})\\b`);
const ofCoordinator =
  /\b(exists|lateral) \(\s*select\b[^`]*?\b(from|join) (api_client|person|partner|connection|management_group)\b/;

const knownInValues = new RegExp(
  `\\binsert into \\w+ \\([^)]*\\)\\s*values\\b.*\\(\\s*select\\b.*\\bfrom (${knownTables.join('|')})\\b`,
  's',
);

/** What a cluster refuses of a statement on tables of workers, or does not do as one node would. */
const refused: Readonly<Record<string, RegExp>> = {
  'locks rows of several shards': /\bfor (no key )?(update|share)\b/,
  'compares a parameter in ON CONFLICT': /\bdo update\s[^`]*?\bwhere\b[^`]*?\$\{/,
  'has a subquery in the row of an INSERT':
    /\binsert into \w+ \([^)]*\)\s*(select|values)((?!\bfrom\b)[^`])*?,\s*\(\s*select\b/,
  'names rows by their place': /\bctid\b/,
  'calls what is not immutable in RETURNING':
    /\breturning\b[^`]*?\b(json_build_object|now|to_json)\(/,
  'joins rows of the coordinator': ofCoordinator,
  'has a step without a column': /\bas (materialized )?\(\s*select from\b/,
  'has a limit below a join': /\bfrom restaurant cross join lateral \([^`]*?\blimit\b/,
};

/** Statements that one shard answers, and those that no cluster needs. */
const allowed: Readonly<Record<string, string>> = {
  'reach/hold-store.ts': 'its restaurant names one shard, where the lock is wanted',
  'configuration/draft-store.ts': 'the restaurant names one shard, which has the place of a row',
};

/** The text of each template that is no part of another. */
function* templatesOf(text: string): Generator<string> {
  let depth = 0;
  let begins = 0;
  for (const { 0: mark, index } of text.matchAll(
    /sql(\.touching\([^`]*?\))?(<[^`]*?>)?`|touched[^`\n]*`|`/g,
  )) {
    const isBegin = mark !== '`';
    if (isBegin && depth === 0) begins = index;
    depth += isBegin ? 1 : -1;
    if (depth < 0) depth = 0;
    if (!isBegin && depth === 0) yield text.slice(begins, index);
  }
}

interface Template {
  readonly file: string;
  /** The function or constant that it stands in. */
  readonly name: string;
  readonly text: string;
}

const templates: readonly Template[] = globSync('**/*store.ts', { cwd: SOURCE }).flatMap((file) =>
  readFileSync(SOURCE + file, 'utf8')
    .split(/^(?=(?:export )?(?:async )?(?:function|const) )/m)
    .flatMap((part) => {
      const [, name = ''] = /\b(?:function|const) (\w+)/.exec(part) ?? [];
      return [...templatesOf(part)].map((text) => ({ file, name, text }));
    }),
);

/** With the texts of the functions that it calls. */
function expand({ file, text }: Template): string {
  return text.replaceAll(/\$\{(\w+)\(sql\b/g, (call, name) => {
    const named = templates.filter((template) => template.name === name);
    const own = named.filter((template) => template.file === file);
    const texts = (own.length > 0 ? own : named).map((part) => expand(part));
    return [call, ...texts].join(' ');
  });
}

test('statements on tables of workers have no shape that a cluster refuses', () => {
  const found: string[] = [];
  let looked = 0;
  for (const { file, text } of templates) {
    if (!ofWorkers.test(text)) continue;
    looked += 1;
    for (const [rule, shape] of Object.entries(refused)) {
      if (shape.test(text) && !(file in allowed)) found.push(`${file} ${rule}: ${text}`);
    }
  }
  assert.ok(looked > 80, `${looked} statements`);
  assert.deepEqual(found, []);
});

test('no statement has such a shape only with the parts that other functions make', () => {
  const texts = templates.map((template) => expand(template).replaceAll('`', ''));
  const recursive = texts.filter((text) => /\bwith recursive\b/.test(text));
  assert.ok(recursive.length > 1, `${recursive.length} recursions`);
  assert.deepEqual(
    [
      ...recursive.filter((text) => ofWorkers.test(text)),
      ...texts.filter((text) => knownInValues.test(text)),
      ...texts.filter((text) => /\bfrom \(\s*select from\b/.test(text)),
    ],
    [],
  );
});

test('no insert of a payment reads rows that a step wrote, which a cluster sends to all nodes', () => {
  const ofPayments = templates.filter(({ file }) => file.startsWith('payments/'));
  const found = ofPayments.flatMap((template) => {
    const text = expand(template);
    const steps = [...text.matchAll(/\b(\w+) as (?:materialized )?\(/g)].map(([, step]) => step);
    if (steps.length === 0) return [];
    const reading = new RegExp(
      `\\binsert into (?:${tables}) \\([^)]*\\)\\s*select\\b[^\`]*?\\bfrom (?:${steps.join('|')})\\b`,
    );
    return reading.test(text) ? [`${template.file} ${template.name}`] : [];
  });
  assert.ok(ofPayments.length > 50, `${ofPayments.length} statements`);
  assert.deepEqual(found, []);
});

test('each refused shape is found in a statement that has it', () => {
  const shapes = [
    'select 1 from payment order by due_at limit 1 for update skip locked',
    'insert into stock (a) values (1) on conflict (a) do update set b = 1 where stock.c <> $' +
      '{now}',
    'insert into payment_event (a, b) select 1, (select digest from payment_event)',
    'delete from configuration_draft where ctid = any(places)',
    "insert into payment (a) values (1) returning json_build_object('a', a)",
    'select 1 from payment where exists (select 1 from api_client where id = payment.client_id)',
    'with known as (select from payment) select 1',
    'select 1 from restaurant cross join lateral (select 1 from payment limit 1) as first',
  ];
  assert.deepEqual(
    shapes.map((shape) => Object.values(refused).filter((rule) => rule.test(shape)).length),
    shapes.map(() => 1),
  );
});

function placeOf(table: string): 'workers' | 'everywhere' | 'known' | 'coordinator' {
  if (table in distributedTables) return 'workers';
  if (referenceTables.some((name) => name === table)) return 'everywhere';
  return knownTables.some((name) => name === table) ? 'known' : 'coordinator';
}

test('servery doctor looks for every reference to a row on another node', () => {
  const references = readFileSync(SCHEMA, 'utf8')
    .split(/^create table /m)
    .flatMap((part) => {
      const [table = ''] = part.split(' ');
      const keys = part.matchAll(/foreign key \((.+?)\) references (\w+)\((.+?)\)/g);
      return [...keys].map(([, column, target = '', key]) => [table, column, target, key]);
    });
  const unheld = references.filter(([table = '', , target = '']) => {
    const [from, to] = [placeOf(table), placeOf(target)];
    return from !== to && !(from === 'workers' && to === 'everywhere');
  });
  assert.ok(references.length > 30, `${references.length} references`);
  assert.deepEqual(unheld.sort(), unheldReferences.map((reference) => [...reference]).sort());
});
