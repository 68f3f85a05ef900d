import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { insertPartner, insertRestaurant } from '../rows.ts';
import { type AccessCaller, type AccessPlace, makeClient, makePerson } from './callers.ts';
import { type AccessFixture, openAccessFixture } from './fixture.ts';

/** What somebody who gives a scope, or the legacy card key, to an account is answered. */
type Verdict = 'given' | 403 | 422;

const platform: AccessPlace = { kind: 'platform', guid: null };

let fixture: AccessFixture;
let group: AccessPlace;
let partner: AccessPlace;
let operator: AccessCaller;
let callers: readonly AccessCaller[];
before(async () => {
  fixture = await openAccessFixture();
  const { deps } = fixture;
  const { sql } = deps.database;
  const now = new Date(deps.realClock.nowMs());
  const { managementGroupGuid, guid } = await insertRestaurant(sql, { createdAt: now });
  group = { kind: 'group', guid: managementGroupGuid };
  partner = { kind: 'partner', guid: await insertPartner(sql) };
  operator = await makePerson(deps, 'OPERATOR', platform);
  const strangers = ['GROUP_ADMINISTRATOR', 'PARTNER_DEVELOPER'];
  callers = [
    operator,
    await makePerson(deps, 'READ_ONLY', platform),
    await makePerson(deps, 'GROUP_ADMINISTRATOR', group),
    await makePerson(deps, 'READ_ONLY', group),
    await makePerson(deps, 'RESTAURANT_ADMINISTRATOR', { kind: 'restaurant', guid }),
    await makePerson(deps, 'PARTNER_DEVELOPER', partner),
    await makeClient(deps, 'backOffice', group),
    await makeClient(deps, 'backOffice', platform),
    // Of another group and another partner.
    ...fixture.callers.filter(({ role }) => strangers.includes(role ?? '')),
  ];
});
after(() => fixture.close());

/**
 * What an account may hold beside its name; the legacy card key goes by the same rules. One scope
 * stands for all others: the rules know only that of card payments.
 */
const rights = ['stock:write', 'credit_cards.authorization:write', 'holdsLegacyCardKey'] as const;
type Right = (typeof rights)[number];

const holding = (right: Right | null) =>
  right === 'holdsLegacyCardKey'
    ? { scopes: [], holdsLegacyCardKey: true }
    : { scopes: right === null ? [] : [right] };

async function ask(
  caller: AccessCaller,
  path: string,
  body: object = {},
  method = 'POST',
): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> {
  const response = await fetch(`${fixture.deps.url}/backoffice/v1/clients${path}`, {
    method,
    headers: { ...(await caller.headers()), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** What an account of that place begins with. */
function accountAt({ kind, guid }: AccessPlace, right: Right | null): object {
  const owner =
    kind === 'partner'
      ? { type: 'PARTNER', partnerGuid: guid }
      : { type: 'CUSTOMER', managementGroupGuid: guid };
  return { name: 'Grants', ...owner, ...holding(right) };
}

async function newAccount(place: AccessPlace, right: Right | null): Promise<string> {
  const { status, body } = await ask(operator, '', accountAt(place, right));
  assert.equal(status, 200, JSON.stringify(body));
  return (body.client as { clientId: string }).clientId;
}

const revoke = (clientId: string) => ask(operator, `/${clientId}/revoke`);

/** The rules of docs/guides/manage-api-accounts.md, in a table of its own. */
function expected(
  caller: AccessCaller,
  place: AccessPlace,
  right: Right,
  isHeld: boolean,
): Verdict {
  const { role, kind, place: at } = caller;
  const managesAccounts =
    kind === 'backOffice' ||
    role === 'OPERATOR' ||
    role === 'GROUP_ADMINISTRATOR' ||
    role === 'PARTNER_DEVELOPER';
  if (!managesAccounts) return 403;
  if (at?.kind === 'platform') return 'given';
  if (at?.guid !== place.guid) return 422;
  if (right === 'holdsLegacyCardKey') return 403;
  if (isHeld) return 'given';
  const isOwnPower = place.kind === 'group' && right !== 'credit_cards.authorization:write';
  return isOwnPower ? 'given' : 403;
}

/** Each caller gives the right to a new account, and to one that is there. */
async function attempts(
  place: AccessPlace,
  right: Right,
  isHeld: boolean,
  those = callers,
): Promise<string[]> {
  const wrong: string[] = [];
  let bare = await newAccount(place, null);
  for (const caller of those) {
    const wanted = expected(caller, place, right, isHeld);
    const made = await ask(caller, '', accountAt(place, right));
    const edited = await ask(caller, `/${bare}`, holding(right), 'PATCH');
    // An account out of reach is not there.
    const statuses = [made.status, edited.status === 404 ? 422 : edited.status];
    for (const status of statuses) {
      const verdict = status === 200 ? 'given' : status;
      const what = `${caller.name} at its ${place.kind}, held there: ${isHeld}`;
      if (verdict !== wanted) wrong.push(`${what}: ${wanted} expected, ${status}`);
    }
    if (wanted === 403 && caller.place?.guid === place.guid && caller.role !== 'READ_ONLY') {
      for (const { body } of [made, edited]) assert.match(String(body.message), /an operator/);
    }
    const { clientId } = (made.body.client ?? {}) as { clientId?: string };
    if (clientId !== undefined) await revoke(clientId);
    if (edited.status !== 200) continue;
    await revoke(bare);
    bare = await newAccount(place, null);
  }
  await revoke(bare);
  return wrong;
}

for (const right of rights) {
  test(`backOffice.clients 200 403 ACC-1 ACC-2 ACC-3: who gives ${right}`, async () => {
    for (const place of [partner, group]) {
      const wrong = await attempts(place, right, false);
      const granted = await newAccount(place, right);
      wrong.push(...(await attempts(place, right, true)));
      await revoke(granted);
      // What only a revoked account held, nobody of the owner holds.
      const those = callers.filter(
        (each) => expected(each, place, right, true) !== expected(each, place, right, false),
      );
      wrong.push(...(await attempts(place, right, false, those)));
      assert.deepEqual(wrong, []);
    }
  });
}

test('backOffice.clients.update 200 ACC-4: each may take away, and keep what is', async () => {
  const developer = callers.find(({ name }) => name.startsWith('PARTNER_DEVELOPER'));
  assert.ok(developer);
  const clientId = await newAccount(partner, 'credit_cards.authorization:write');
  await ask(operator, `/${clientId}`, { holdsLegacyCardKey: true }, 'PATCH');
  const edit = async (body: object) => (await ask(developer, `/${clientId}`, body, 'PATCH')).status;
  const scopes = ['credit_cards.authorization:write'];
  assert.equal(await edit({ name: 'Renamed', scopes, holdsLegacyCardKey: true }), 200);
  assert.equal(await edit({ holdsLegacyCardKey: false }), 200);
  assert.equal(await edit({ holdsLegacyCardKey: true }), 403);
  assert.equal(await edit({ scopes: [] }), 200);
  assert.equal(await edit({ scopes }), 403, 'no account of the partner holds it anymore');
  await revoke(clientId);
});
