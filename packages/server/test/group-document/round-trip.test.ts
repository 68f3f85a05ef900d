import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { FixedClock } from '@servery/support/clock.ts';
import { newRandomId } from '@servery/support/ids.ts';
import { createVault } from '@servery/support/secret.ts';
import fc from 'fast-check';
import { writeCanonical } from '../../src/group-document/canonical.ts';
import { exportGroup } from '../../src/group-document/export.ts';
import { InvalidGroupDocument } from '../../src/group-document/faults.ts';
import { importGroup } from '../../src/group-document/import.ts';
import { readGroupDocument } from '../../src/group-document/read-document.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { anyDocument } from './document-arbitrary.ts';

const clock = new FixedClock(Date.UTC(2026, 10, 21, 9, 30, 0, 123));
const vault = createVault(randomBytes(32));
let own: TestDatabase;

before(async () => {
  own = await createTestDatabase();
});
after(() => own.drop());

/** The canonical text of what a document says, without a database. */
async function canonicalText(text: string): Promise<string> {
  const { restaurants, ...head } = readGroupDocument(text);
  let canonical = '';
  await writeCanonical(head, restaurants, (piece) => {
    canonical += piece;
  });
  return canonical;
}

test('group document: the canonical form of any document says the same', async () => {
  await fc.assert(
    fc.asyncProperty(anyDocument, async (document) => {
      const canonical = await canonicalText(JSON.stringify(document));
      assert.equal(await canonicalText(canonical), canonical);
      // The layout is that of JSON.stringify, so that any tool can write it too.
      assert.equal(`${JSON.stringify(JSON.parse(canonical), null, 2)}\n`, canonical);
    }),
    { numRuns: 12 },
  );
});

test('group document: any document, imported and exported, twice, is the same bytes', async () => {
  await fc.assert(
    fc.asyncProperty(anyDocument, async (document) => {
      const { name, text } = ofOwnGroup(document);
      await imported(text);
      const first = await exported(name);
      assert.deepEqual(JSON.parse(first), JSON.parse(dated(await canonicalText(text))));
      assert.equal((await imported(first)).changedObjects, 0);
      assert.equal(await exported(name), first);
    }),
    { numRuns: 4 },
  );
});

test('group document: after any --replace the export can be imported again', async () => {
  await fc.assert(
    fc.asyncProperty(anyDocument, anyDocument, anyDocument, async (first, ...others) => {
      // The keys of generated documents are the same, so that they are about the same things.
      const { name, text, group } = ofOwnGroup(first);
      await imported(text);
      for (const other of others) {
        clock.advance(1_000);
        await imported(JSON.stringify({ ...other, ...group, clients: [] }));
      }
      const stored = await exported(name);
      assert.equal((await imported(stored)).changedObjects, 0);
      assert.equal(await exported(name), stored);
    }),
    { numRuns: 4 },
  );
});

let groups = 0;

/** The document as one of a group of its own, with partners that no other group has. */
function ofOwnGroup(document: Record<string, unknown>) {
  groups += 1;
  const name = `Group ${groups}`;
  const keys = ['p0', 'p1', 'p2'];
  const partners = keys.map((key) => ({ key, name: `P ${key}`, guid: newRandomId() }));
  const group = { managementGroup: { name }, partners };
  const clients = (document.clients as { scopes: string[] }[]).map((client) => ({
    ...client,
    // It would have the import make card keys, which takes seconds.
    scopes: client.scopes.filter((scope) => scope !== 'credit_cards.authorization:write'),
  }));
  return { name, group, text: JSON.stringify({ ...document, clients, ...group }) };
}

function imported(text: string) {
  const deps = { database: own.database, vault, clock };
  return importGroup(deps, readGroupDocument(text), { replace: true });
}

async function exported(group: string): Promise<string> {
  let text = '';
  await exportGroup(own.database, group, (piece) => {
    text += piece;
  });
  return text;
}

/** The canonical text with the time of the import where the document gives no time. */
function dated(canonical: string): string {
  const document = JSON.parse(canonical);
  const now = new Date(clock.nowMs()).toISOString();
  for (const { configuration } of document.restaurants) {
    for (const list of Object.values(configuration)) {
      for (const object of Array.isArray(list) ? list : [list]) {
        if (object) object.modifiedDate ??= now;
      }
    }
  }
  for (const connection of document.connections) {
    connection.createdDate ??= now;
    connection.modifiedDate ??= now;
  }
  return JSON.stringify(document);
}

test('group document: a hostile document is refused with its faults, never with a crash', () => {
  const values = fc.oneof(
    fc.constantFrom(null, true, 0, -1, 1.5, 1e308, '', ' ', '\ud800', '\u0000', [], {}, [null]),
    fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<unknown>,
  );
  // A document takes far longer to make than to read: each is read with ten changes.
  const changes = fc.array(fc.tuple(fc.nat(), values, fc.boolean()), {
    minLength: 10,
    maxLength: 10,
  });
  fc.assert(
    fc.property(anyDocument, changes, (sound, all) => {
      for (const [pick, value, adds] of all) {
        const document = structuredClone(sound);
        const places = placesOf(document);
        const [holder, step] = places[pick % places.length] ?? [document, 'format'];
        const name = adds && typeof step === 'string' ? `${step}x` : step;
        holder[name] = structuredClone(value);
        try {
          readGroupDocument(JSON.stringify(document));
        } catch (error) {
          assert.ok(error instanceof InvalidGroupDocument, String((error as Error).stack));
          assert.ok(error.faults.length > 0);
          for (const fault of error.faults) assert.ok(fault.line >= 1 && fault.column >= 1);
        }
      }
    }),
    { numRuns: 10 },
  );
});

type Holder = Record<string | number, unknown>;

/** Every place of a JSON value: what holds it, and under which name or index. */
function placesOf(value: unknown): [Holder, string | number][] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Holder;
  const steps = Array.isArray(value) ? value.map((_, index) => index) : Object.keys(value);
  return steps.flatMap((step): [Holder, string | number][] => [
    [holder, step],
    ...placesOf(holder[step]),
  ]);
}
