import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { type InputSchema, inputSchema } from './arguments.ts';
import { resultOf } from './results.ts';
import { tools } from './tools.ts';

const isOffice = ({ operation }: (typeof tools)[number]) => operation.interface === 'backOffice';

test('mcp: no two tools of a caller have one name, and each says what it is for', () => {
  for (const office of [true, false]) {
    const names = tools.filter((tool) => isOffice(tool) === office).map(({ name }) => name);
    assert.deepEqual(
      names.filter((name, index) => names.indexOf(name) !== index),
      [],
    );
  }
  for (const { name, summary, description } of tools) {
    assert.match(name, /^[a-z]+(_[a-z]+)*$/);
    assert.ok(summary && description, name);
  }
});

test('mcp: every input schema is sound, and says what each argument is', () => {
  const validator = new AjvJsonSchemaValidator();
  for (const tool of tools) {
    const schema: InputSchema = inputSchema(tool);
    validator.getValidator(schema as never)({});
    for (const [name, argument] of Object.entries(schema.properties)) {
      const isSaid = 'description' in argument || '$ref' in argument;
      assert.ok(isSaid, `${tool.name} ${name}`);
      assert.doesNotMatch(JSON.stringify(argument), /URL-encoded|"~/);
    }
  }
});

test('mcp: only lists, and objects with any fields, stand in `body`', () => {
  const found = tools.filter((tool) => 'body' in inputSchema(tool).properties);
  assert.deepEqual(
    found.map(({ operation }) => operation.id),
    [
      'backOffice.configuration.objects.create',
      'backOffice.configuration.objects.update',
      'stock.update',
    ],
  );
});

test('mcp: a tool that reads calls nothing that writes', () => {
  const posted = tools.filter(
    ({ effect, operation }) => effect === 'reads' && operation.method !== 'GET',
  );
  // They look up and compute, and store nothing.
  assert.deepEqual(
    posted.map(({ operation }) => operation.id),
    ['stock.search', 'orders.price'],
  );
});

test('mcp: no result has secrets, and one that is too long says what to do', () => {
  const json = {
    client: { clientSecret: 'svs_x', name: 'A' },
    demo: { x: 1 },
    list: [{ token: 't' }],
  };
  assert.deepEqual(resultOf(json, { omitted: ['demo'], isRead: true }).structuredContent, {
    client: { clientSecret: '[withheld]', name: 'A' },
    list: [{ token: '[withheld]' }],
  });
  const long = { text: 'x'.repeat(300_000) };
  const read = resultOf(long, { isRead: true });
  assert.equal(read.isError, true);
  assert.match(JSON.stringify(read.content), /smaller pageSize/);
  const done = resultOf(long, { isRead: false });
  assert.ok(!done.isError);
  assert.match(JSON.stringify(done.content), /It was done, but /);
});
