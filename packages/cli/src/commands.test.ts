import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type OperationId, operationById, schemas } from '@servery/contract';
import type { Values } from './command.ts';
import { neededFields } from './commands/restaurants.ts';
import { commands } from './commands.ts';

interface Declared {
  readonly name: string;
  readonly summary: string;
  readonly examples: readonly string[];
  readonly operation?: OperationId;
  readonly run?: unknown;
  readonly arguments?: Values;
  readonly options?: Values;
}

const all = commands.flatMap((one) =>
  'commands' in one ? one.commands : [one],
) as unknown as readonly Declared[];
/** Commands that make their request themselves use the names of fields for messages only. */
const declared = all.filter(({ operation, run }) => operation !== undefined && !run);

test('servery: what an argument or option fills is a field of the operation', () => {
  const faults = declared.flatMap((own) => {
    const id = own.operation as OperationId;
    const { params, query, requestBody } = operationById(id);
    const schema = requestBody && (schemas[requestBody.schema] as { properties?: object });
    const body = schema?.properties ?? {};
    const known = [params, query, body].flatMap((fields) => Object.keys(fields));
    const fields = Object.entries({ ...own.arguments, ...own.options })
      .filter(([, { field }]) => field !== null)
      .map(([name, { field = name }]) => field?.split('.')[0] ?? '');
    return fields
      .filter((field) => !known.includes(field))
      .map((field) => `${own.name} (${id}): ${field}`);
  });
  assert.deepEqual(faults, []);
});

test('servery restaurants create: it asks for what the platform requires, and no more', () => {
  const required: unknown = Reflect.get(schemas.CreateRestaurant.properties.general, 'required');
  assert.deepEqual(Object.values(neededFields).sort(), (required as string[]).toSorted());
});

test('servery: every summary and help text is a phrase without a full stop', () => {
  for (const { name, summary, examples, ...own } of all) {
    assert.match(summary, /^[A-Z].*[^.]$/s, name);
    assert.ok(examples.length > 0, name);
    for (const { help } of Object.values({ ...own.arguments, ...own.options })) {
      assert.doesNotMatch(help, /\.$/, `${name}: ${help}`);
    }
  }
});
