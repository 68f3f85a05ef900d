import { type BuildDeps, openAccount } from './build-fixture.ts';
import {
  type Account,
  type ClientState,
  type ConnectionState,
  type InfoState,
  type Partner,
  type Place,
  READ_SCOPES,
} from './fixture.ts';
import { infoPatch } from './info.ts';
import { type ChangeDeps, keepChanging, makeChange, type Wanted } from './make-change.ts';
import {
  findClientRow,
  findConnectionRow,
  findIsTokenRevoked,
  findRestaurantRow,
} from './state-store.ts';
import type { Subject } from './subject.ts';

const LONGEST_PAUSE_MS = 300;
const LINGER_CHANGES = 8;

/** Asks the back office, and says whether it answered that it is done. */
async function isDone(
  { call }: ChangeDeps,
  server: number,
  method: string,
  path: string,
  json?: unknown,
): Promise<boolean> {
  const answer = await call(server, method, path, json);
  return answer !== null && answer.status < 300;
}

/** Edits restaurants; with `moves` it archives them and moves them between groups too. */
export function keepEditing(
  deps: ChangeDeps,
  places: readonly Place[],
  moves: boolean,
): Promise<void> {
  const { lots } = deps;
  return keepChanging(deps, LONGEST_PAUSE_MS, async () => {
    const place = lots.pick(places);
    const { isArchived } = place.info.latest;
    const way = moves ? lots.next() : 1;
    // What is archived comes back soon, so that most reads find it.
    if (way < (isArchived ? 0.6 : 0.15)) await archive(deps, place, !isArchived);
    else if (way < 0.4) await move(deps, place);
    else await edit(deps, place);
  });
}

async function archive(deps: ChangeDeps, place: Place, isArchived: boolean): Promise<void> {
  const path = `/restaurants/${place.guid}/${isArchived ? 'archive' : 'unarchive'}`;
  const name = isArchived ? 'restaurant archived' : 'restaurant unarchived';
  await changeInfo(deps, place, name, { isArchived }, (server) => {
    return isDone(deps, server, 'POST', path);
  });
}

async function move(deps: ChangeDeps, place: Place): Promise<void> {
  const [one, other] = deps.fixture.groupGuids;
  const groupGuid = place.info.latest.groupGuid === one ? other : one;
  const patch = { general: { managementGroupGuid: groupGuid } };
  await changeInfo(deps, place, 'restaurant moved', { groupGuid }, (server) => {
    return isDone(deps, server, 'PATCH', `/restaurants/${place.guid}`, patch);
  });
}

async function edit(deps: ChangeDeps, place: Place): Promise<void> {
  const label = nextLabel(place.info);
  const patch = infoPatch(place.tag, label);
  await changeInfo(deps, place, 'restaurant edited', { label }, (server) => {
    return isDone(deps, server, 'PATCH', `/restaurants/${place.guid}`, patch);
  });
}

async function changeInfo(
  deps: ChangeDeps,
  place: Place,
  name: string,
  change: Partial<InfoState>,
  act: Wanted<InfoState>['act'],
): Promise<void> {
  const state = { ...place.info.latest, ...change };
  const isStored = async () => {
    const row = await findRestaurantRow(deps.database.sql, place.guid);
    const isSame = row?.archived === state.isArchived && row.groupGuid === state.groupGuid;
    return isSame && row.name === infoPatch(place.tag, state.label).general.name;
  };
  await makeChange(deps, [{ name, subject: place.info, state, act, isStored }]);
}

/** Disconnects, connects again, and edits connections. */
export function keepConnecting(
  deps: ChangeDeps,
  pairs: readonly (readonly [Partner, Place])[],
): Promise<void> {
  const { lots } = deps;
  return keepChanging(deps, LONGEST_PAUSE_MS, async () => {
    const [partner, place] = lots.pick(pairs);
    const connection = partner.connections.get(place.guid);
    if (!connection) return;
    const isOn = !connection.latest.isOn || lots.chance(0.5);
    const label = isOn ? nextLabel(connection) : connection.latest.label;
    await changeConnection(deps, partner, place, connection, { isOn, label });
  });
}

async function changeConnection(
  deps: ChangeDeps,
  partner: Partner,
  place: Place,
  subject: Subject<ConnectionState>,
  state: ConnectionState,
): Promise<void> {
  const path = `/restaurants/${place.guid}/connections`;
  const employee = { firstName: 'Ada', email: 'ada@example.com' };
  const reference = { externalRestaurantRef: String(state.label) };
  const partnerGuid = partner.guid;
  const wasOn = subject.latest.isOn;
  const act = (server: number) => {
    const own = `${path}/${partnerGuid}`;
    if (!state.isOn) {
      return isDone(deps, server, 'POST', `${own}/disconnect`, { reason: 'It is over.', employee });
    }
    if (wasOn) return isDone(deps, server, 'PATCH', own, { ...reference, employee });
    return isDone(deps, server, 'POST', path, { partnerGuid, ...reference, employee });
  };
  const name = state.isOn ? (wasOn ? 'connection edited' : 'connected') : 'disconnected';
  const isStored = async () => {
    const row = await findConnectionRow(deps.database.sql, place.guid, partnerGuid);
    return row?.isOn === state.isOn && row.reference === String(state.label);
  };
  await makeChange(deps, [{ name, subject, state, act, isStored }]);
}

/** Takes scopes of an account and its tokens away, and gives them back. */
export function keepTurning(deps: ChangeDeps, account: Account): Promise<void> {
  const { lots } = deps;
  return keepChanging(deps, LONGEST_PAUSE_MS, async () => {
    if (lots.chance(0.3)) await revokeToken(deps, account);
    else await turnScope(deps, account);
  });
}

/** Makes accounts that are used for a while, lose their rights, and are revoked. */
export async function keepComingAndGoing(
  deps: ChangeDeps,
  build: BuildDeps,
  partner: Partner,
): Promise<void> {
  const { fixture, lots, reader } = deps;
  for (let number = 1; !deps.isOver(); number += 1) {
    const owner = { partner, groupGuid: null };
    const name = `mayfly ${number}`;
    const account = await openAccount(build, name, owner, READ_SCOPES, fixture.subjects).catch(
      () => null,
    );
    if (!account) continue;
    deps.tally.count('change: account made');
    fixture.accounts.push(account);
    while (account.tokens.length === 0 && !deps.isOver()) {
      await reader.logIn(lots.pick(deps.awake()), account);
    }
    let left = lots.between(1, LINGER_CHANGES);
    await keepChanging(
      { ...deps, isOver: () => deps.isOver() || left <= 0 },
      LONGEST_PAUSE_MS,
      async () => {
        left -= 1;
        await (lots.chance(0.3) ? revokeToken(deps, account) : turnScope(deps, account));
      },
    );
    if (deps.isOver()) return;
    await revoke(deps, account);
    left = LINGER_CHANGES;
    // It is still asked for while the others go on, because a right may live on.
    const isOver = () => deps.isOver() || left <= 0;
    await keepChanging({ ...deps, isOver }, LONGEST_PAUSE_MS, async () => {
      left -= 1;
    });
    fixture.accounts.splice(fixture.accounts.indexOf(account), 1);
  }
}

async function turnScope(deps: ChangeDeps, account: Account): Promise<void> {
  const { scopes } = account.client.latest;
  const turned = deps.lots.pick(READ_SCOPES);
  const others = scopes.filter((scope) => scope !== turned);
  const next = scopes.includes(turned) ? others : [...others, turned];
  const path = `/clients/${account.clientId}`;
  await changeClient(
    deps,
    account,
    'scope turned',
    { isRevoked: false, scopes: next },
    (server) => {
      return isDone(deps, server, 'PATCH', path, { scopes: next });
    },
  );
}

async function revoke(deps: ChangeDeps, account: Account): Promise<void> {
  const { scopes } = account.client.latest;
  const path = `/clients/${account.clientId}/revoke`;
  await changeClient(deps, account, 'account revoked', { isRevoked: true, scopes }, (server) => {
    return isDone(deps, server, 'POST', path);
  });
}

async function changeClient(
  deps: ChangeDeps,
  { client, clientId }: Account,
  name: string,
  state: ClientState,
  act: Wanted<ClientState>['act'],
): Promise<void> {
  const isStored = async () => {
    const row = await findClientRow(deps.database.sql, clientId);
    const isSame = row?.scopes.toSorted().join() === state.scopes.toSorted().join();
    return isSame && row?.isRevoked === state.isRevoked;
  };
  await makeChange(deps, [{ name, subject: client, state, act, isStored }]);
}

/** Revokes the token of an account, which then gets another one at its next login. */
async function revokeToken(deps: ChangeDeps, account: Account): Promise<void> {
  const { clientId, clientSecret, tokens } = account;
  const token = tokens.at(-1);
  if (token && !token.life.latest.isRevoked) {
    const act = async (server: number) => {
      const answer = await deps.ask(server, {
        method: 'POST',
        path: '/oauth/revoke',
        headers: {
          authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: new URLSearchParams({ token: token.text }).toString(),
      });
      return answer?.status === 200;
    };
    const isStored = () => findIsTokenRevoked(deps.database.sql, clientId, idOf(token.text));
    const state = { isRevoked: true };
    await makeChange(deps, [{ name: 'token revoked', subject: token.life, state, act, isStored }]);
  }
  await deps.reader.logIn(deps.lots.pick(deps.awake()), account);
}

function nextLabel<State extends { readonly label: number }>({ asked }: Subject<State>): number {
  return Math.max(...asked.map(({ label }) => label)) + 1;
}

/** The id of a token, out of its claims. */
function idOf(token: string): string {
  const claims = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
  return (JSON.parse(claims) as { jti: string }).jti;
}
