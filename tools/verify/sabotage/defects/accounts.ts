// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Pieces of code stand here as text.
import type { Defect } from '../defect.ts';

const SOURCE = 'packages/server/src';
const TESTS = 'packages/server/test';
const CLIENTS = `${TESTS}/backoffice/clients.test.ts`;
const CONNECTIONS = `${TESTS}/backoffice/connections.test.ts`;
const EVENTS = `${TESTS}/backoffice/partner-events.test.ts`;
const USES = `${TESTS}/auth/client-uses.test.ts`;

/** Defects of API accounts, their secrets and uses, and of connections and their events. */
export const accountDefects: readonly Defect[] = [
  {
    name: 'accounts-scope-lent',
    file: `${SOURCE}/auth/may-grant.ts`,
    find: 'if (lacking.length === 0) return;\n  throw',
    replace: 'if (lacking.length >= 0) return;\n  throw',
    why: 'Whoever may make accounts would make himself one that may everything.',
    caughtBy: { file: CLIENTS, name: /nobody hands out a place or scope/ },
  },
  {
    name: 'accounts-platform-lent',
    file: `${SOURCE}/http/reach.ts`,
    find: "case 'platform':\n      return false;",
    replace: "case 'platform':\n      return true;",
    why: 'An administrator of one group would make an account of the whole platform.',
    caughtBy: { file: CLIENTS, name: /nobody hands out a place or scope/ },
  },
  {
    name: 'accounts-secret-of-the-stronger',
    file: `${SOURCE}/auth/manage-clients.ts`,
    find: 'requireHeld(grants, { type: client.type, place: placeOfClient(client) }',
    replace: 'void (grants, { type: client.type, place: placeOfClient(client) }',
    why: 'With a secret of a stronger account one could act as it.',
    caughtBy: { file: CLIENTS, name: /whoever gets it must hold its scopes/ },
  },
  {
    name: 'accounts-of-other-groups',
    file: `${SOURCE}/auth/client-view-store.ts`,
    find: 'where c.client_id = ${clientId} and ${isReachedClient(sql, reach)}\n    for no key',
    replace: 'where c.client_id = ${clientId}\n    for no key',
    why: 'One group could edit and end the accounts of another.',
    caughtBy: { file: CLIENTS, name: /out of reach sound the same/ },
  },
  {
    name: 'accounts-secrets-without-lock',
    file: `${SOURCE}/auth/client-view-store.ts`,
    find: '${isReachedClient(sql, reach)}\n    for no key update of c`;',
    replace: '${isReachedClient(sql, reach)}`;',
    why: 'Who asks at once would get more live secrets than an account may have.',
    caughtBy: { file: CLIENTS, name: /at most ten live/ },
  },
  {
    name: 'accounts-overlap-forgotten',
    file: `${SOURCE}/auth/manage-clients.ts`,
    find: 'if (othersExpireAtMs !== null) {',
    replace: 'if (othersExpireAtMs === 0) {',
    why: 'A secret that was to end with a rotation would live for ever.',
    caughtBy: { file: CLIENTS, name: /old and new overlap/ },
  },
  {
    name: 'accounts-digest-in-the-record',
    file: `${SOURCE}/auth/client-view-store.ts`,
    find: 'select client_id as "clientId", guid, label,',
    replace: 'select client_id as "clientId", guid, label, encode(digest, \'hex\') as digest,',
    why: 'What secrets are compared with would stand where auditors read.',
    caughtBy: { file: CLIENTS, name: /tells all but the secrets/ },
  },
  {
    name: 'uses-refused-restaurant-counted',
    file: `${SOURCE}/auth/client-uses.ts`,
    find: "const isLetIn = restaurantGuid !== null && wasPassed('restaurant', refusal?.check);",
    replace: 'const isLetIn = restaurantGuid !== null;',
    why: 'A GUID that anybody makes up would break the counting of everybody.',
    caughtBy: { file: USES, name: /operations, statuses, days and restaurants/ },
  },
  {
    name: 'uses-without-bound',
    file: `${SOURCE}/auth/client-uses.ts`,
    find: 'else if (this.#counts.size < this.#countsAtMost) counts.set(key, requests);',
    replace: 'else if (this.#countsAtMost > 0) counts.set(key, requests);',
    why: 'While the database is away, the memory of the process would grow until it ends.',
    caughtBy: { file: USES, name: /memory is bounded/ },
  },
  {
    name: 'uses-lost-with-the-database',
    file: `${SOURCE}/auth/client-uses.ts`,
    find: 'if (!isLost(error)) this.#takeBack(counts);',
    replace: '',
    why: 'A database that is away for a moment would take the counts with it.',
    caughtBy: { file: USES, name: /is written later, and once/ },
  },
  {
    name: 'uses-written-at-each-request',
    file: `${SOURCE}/auth/client-uses.ts`,
    find: 'const LAST_USE_MS = 60_000;',
    replace: 'const LAST_USE_MS = 0;',
    why: 'The row of a busy account would be written every few seconds.',
    caughtBy: { file: USES, name: /at most once a minute/ },
  },
  {
    name: 'connections-event-without-its-turn',
    file: `${SOURCE}/partners/change-store.ts`,
    find: 'on conflict (partner_guid) do update set position = counter.position + 1',
    replace: 'on conflict (partner_guid) do update set position = counter.position + 2',
    why: 'Whoever follows the events of a partner would wait for one that never comes.',
    caughtBy: { file: EVENTS, name: /positions have no gap/ },
  },
  {
    name: 'connections-ended-twice',
    file: `${SOURCE}/partners/connections.ts`,
    find: '    if (before.removedAt) return before;\n',
    replace: '',
    why: 'Of two who disconnect at once, the second one would tell the partner again.',
    caughtBy: { file: EVENTS, name: /two who disconnect at once/ },
  },
  {
    name: 'connections-event-of-nothing',
    file: `${SOURCE}/partners/connections.ts`,
    find: '    if (isSame) return before;\n',
    replace: '',
    why: 'A partner would be told of changes that are none.',
    caughtBy: { file: CONNECTIONS, name: /every change with who, when and why/ },
  },
  {
    name: 'connections-import-in-silence',
    file: `${SOURCE}/backoffice/group-document/import.ts`,
    find: 'await recordGroupChanges(sql, group.guid, before, { ...origin, at });',
    replace: '',
    why: 'No partner would hear of what an import connects and disconnects.',
    caughtBy: { file: EVENTS, name: /an import tells partners/ },
  },
  {
    name: 'connections-events-for-everybody',
    file: `${SOURCE}/backoffice/partners/routes.ts`,
    find: 'const partner = isReached ? await findPartner(sql, partnerGuid, reach) : null;',
    replace: 'const partner = await findPartner(sql, partnerGuid, reach);',
    why: 'One group would read what the restaurants of others agree with a partner.',
    caughtBy: { file: EVENTS, name: /by nobody else/ },
  },
];
