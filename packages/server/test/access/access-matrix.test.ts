import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Operation, operations, type WhoAmI } from '@servery/contract';
import { request } from 'undici';
import type { AccessCaller } from './callers.ts';
import { expectedOutcome, type Outcome } from './expectation.ts';
import { type AccessFixture, openAccessFixture } from './fixture.ts';
import { type Sample, type Side, samples } from './samples.ts';

let fixture: AccessFixture;
before(async () => {
  fixture = await openAccessFixture();
});
after(() => fixture.close());

const ofBackOffice = operations.filter((each) => each.interface === 'backOffice');

/** How an operation is called. One that changes something, or names something, needs a row. */
function sampleOf({ id, method, params }: Operation): Sample {
  const named = Object.keys(params).filter((name) => !/^(merchantUuid|restaurantGuid)$/.test(name));
  const sample = samples[id];
  const needsRow = method !== 'GET' || named.length > 0;
  assert.ok(sample || !needsRow, `${id} is new: say in access/samples.ts how it is called`);
  return sample ?? {};
}

function pathOf({ path }: Operation, { params }: Sample, side: Side): string {
  const { guid } = side.restaurant;
  const values: Record<string, string | null> = {
    merchantUuid: guid,
    restaurantGuid: guid,
    ...params?.(side),
  };
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    assert.ok(value, `the sample gives no ${name} for ${path}`);
    return encodeURIComponent(value);
  });
}

/** What the platform answered, in the words of the expectation. */
function outcomeOf(status: number, message: string, { missing }: Sample): Outcome | number {
  if (status === 404 && missing?.test(message)) return 'in';
  if (status === 401 || status === 403 || status === 404) return status;
  return status < 500 ? 'in' : status;
}

/** The fields of an operation that decide what `whoami` says. */
function admissionOf(operation: Operation): string {
  const { interface: of, security, scope, orScope, restaurant } = operation;
  const { heldFor, isForPartners, isForSandbox, isHiddenInProduction } = operation;
  const conditions = [heldFor, isForPartners, isForSandbox, isHiddenInProduction];
  return JSON.stringify([of, security, scope, orScope, restaurant, ...conditions]);
}

const toldBefore = new Map<string, Promise<Outcome | number>>();

/**
 * What `whoami` tells a caller of an operation at a restaurant; null for nobody, who is nobody. It
 * is asked once of operations that it cannot tell apart.
 */
async function toldOf(
  caller: AccessCaller,
  operation: Operation,
  side: Side,
): Promise<Outcome | number | null> {
  if (caller.kind === 'nobody') return null;
  const where = operation.restaurant === 'none' ? '' : side.name;
  const key = [caller.name, where, admissionOf(operation)].join();
  const told = toldBefore.get(key) ?? askWhoami(caller, operation, side);
  toldBefore.set(key, told);
  return await told;
}

async function askWhoami(
  caller: AccessCaller,
  { id }: Operation,
  { restaurant }: Side,
): Promise<Outcome | number> {
  const { kind } = caller;
  const audience = kind === 'partner' || kind === 'customer' ? 'platform' : 'backoffice';
  const query = new URLSearchParams({ operation: id, restaurantGuid: restaurant.guid ?? '' });
  const { statusCode, body } = await request(`${fixture.deps.url}/${audience}/v1/whoami?${query}`, {
    headers: { ...(await caller.headers()), 'accept-encoding': 'identity' },
  });
  assert.equal(statusCode, 200);
  const { call } = (await body.json()) as WhoAmI;
  return call?.refusal?.status ?? 'in';
}

/** Where a caller may be answered otherwise: who is at no restaurant sees a group's as one. */
function sidesFor({ kind, role, place }: AccessCaller): readonly Side[] {
  const [own, sibling, other] = fixture.sides;
  assert.ok(own && sibling && other);
  if (place?.kind === 'platform') return [other];
  if (place === null || kind === 'customer') return [own];
  return role === 'RESTAURANT_ADMINISTRATOR' ? [own, sibling, other] : [own, other];
}

for (const operation of ofBackOffice) {
  test(`${operation.id}: each caller gets what scope, role and place give`, async () => {
    const sample = sampleOf(operation);
    const wrong: string[] = [];
    // acceptance/src/matrix.ts asks for each operation as nobody and as a partner's account.
    for (const caller of fixture.callers.filter(({ kind }) => !/nobody|partner/.test(kind))) {
      let sentBefore = '';
      for (const side of sidesFor(caller)) {
        const path = pathOf(operation, sample, side);
        const body = operation.requestBody ? (sample.body?.(side) ?? {}) : undefined;
        // A request that names no place is sent once.
        const sent = JSON.stringify([path, body]);
        if (sent === sentBefore) continue;
        sentBefore = sent;
        const told = await toldOf(caller, operation, side);
        const { status, message } = await fixture.send({
          method: operation.method,
          path,
          // Whoever logs out has to log in again.
          headers: await (operation.security === 'session'
            ? caller.newHeaders()
            : caller.headers()),
          body,
        });
        const outcome = outcomeOf(status, message, sample);
        const expected = expectedOutcome(caller, operation, sample, side);
        if (outcome !== expected) {
          wrong.push(`${caller.name}, ${side.name}: ${expected} expected, ${status} "${message}"`);
        }
        // What else the path names is not asked about: that it is not there cannot be foreseen.
        const isForeseen = outcome !== 404 || operation.restaurant !== 'none';
        if (told !== null && told !== (isForeseen ? outcome : 'in')) {
          wrong.push(
            `${caller.name}, ${side.name}: whoami told ${told}, the answer was ${outcome}`,
          );
        }
      }
    }
    assert.deepEqual(wrong, []);
  });
}

const ofAccounts = operations.filter(
  (each) =>
    each.interface !== 'backOffice' && each.security === 'bearer' && each.restaurant === 'none',
);

for (const operation of ofAccounts) {
  test(`${operation.id}: whoami tells each caller what the answer is`, async () => {
    const [side] = fixture.sides;
    assert.ok(side);
    const { method, path } = operation;
    for (const caller of fixture.callers.filter(({ kind }) => kind !== 'nobody')) {
      const headers = await caller.headers();
      const { status, message } = await fixture.send({ method, path, headers, body: undefined });
      const told = await toldOf(caller, operation, side);
      assert.equal(told, outcomeOf(status, message, {}), `${caller.name}: ${message}`);
    }
  });
}

test('backOffice: a row of the samples belongs to an operation', () => {
  const ids: readonly string[] = ofBackOffice.map(({ id }) => id);
  for (const id of Object.keys(samples)) assert.ok(ids.includes(id), `${id} is no more`);
});
