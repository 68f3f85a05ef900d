import type { Defect } from '../defect.ts';

const SOURCE = 'packages/server/src';
const TESTS = 'packages/server/test';
const APPLICATION = `${SOURCE}/http/application.test.ts`;

/** Defects of what keeps partner clients and the back office apart. */
export const backOfficeClientDefects: readonly Defect[] = [
  {
    name: 'back-office-client-kind-unchecked',
    file: `${SOURCE}/http/admit.ts`,
    find: 'if (!isOfKind(caller, operation)) throw wrongKind(caller, operation);',
    replace: '',
    why: 'Only scopes, which operators grant by hand, would keep partners out of the back office.',
    caughtBy: { file: APPLICATION, name: /403: partner clients and the back office reach/ },
  },
  {
    name: 'back-office-client-endless-budget',
    file: `${SOURCE}/http/pipeline.ts`,
    find: 'if (operation && caller && isOfKind(caller, operation)) {',
    replace: 'if (operation && caller) {',
    why: 'A partner could call the back office without end, with a new GUID in every path.',
    caughtBy: { file: APPLICATION, name: /429 API-7: a restaurant in the path has its budget/ },
  },
  {
    name: 'back-office-client-restaurant-told-apart',
    file: `${SOURCE}/http/admit.ts`,
    find: 'const decision = guid === null ? null : await deps.access(caller, guid);',
    replace: `const decision = guid === null ? null : await deps.access(caller, guid);
  if (decision?.outcome === 'notGranted') throw notConnected(guid ?? '');`,
    why: 'The orders side of one group could find out which restaurants others have.',
    caughtBy: { file: APPLICATION, name: /404: in a path, unknown, foreign and broken/ },
  },
  {
    name: 'back-office-client-any-group',
    file: `${SOURCE}/http/operation.ts`,
    find: 'if (managementGroupGuid !== null) {',
    replace: "if (managementGroupGuid !== null && caller.type !== 'BACK_OFFICE') {",
    why: 'The orders side of one group could move the payments of all others.',
    caughtBy: { file: `${TESTS}/partners/access.test.ts`, name: /a BACK_OFFICE client reaches/ },
  },
  {
    name: 'back-office-client-mixed-scopes',
    file: `${SOURCE}/auth/clients.ts`,
    find: 'const foreign = ordered.find((scope) => !allowed.includes(scope));',
    replace: 'const foreign = ordered.find(() => false);',
    why: 'An operator who grants a wrong scope would get a failure instead of a reason.',
    caughtBy: {
      file: `${TESTS}/auth/clients.test.ts`,
      name: /of a partner and of the back office/,
    },
  },
  {
    name: 'back-office-client-database-mixes',
    file: 'packages/server/migrations/0001-baseline.sql',
    find: "type = 'BACK_OFFICE' or scopes <@ array[",
    replace: 'true or scopes <@ array[',
    why: 'Nothing below the application would keep a partner from moving payments.',
    caughtBy: { file: `${TESTS}/auth/clients.test.ts`, name: /T7: the database refuses wrong/ },
  },
  {
    name: 'back-office-client-exported',
    file: `${SOURCE}/auth/group-client-store.ts`,
    find: "and c.type <> 'BACK_OFFICE' and (",
    replace: 'and (',
    why: 'An import of a group would end the accounts of its orders side.',
    caughtBy: {
      file: `${TESTS}/backoffice/replace.test.ts`,
      name: /back office accounts of a group/,
    },
  },
  {
    name: 'back-office-client-taken-over',
    file: `${SOURCE}/backoffice/group-document/import-clients.ts`,
    find: 'const isOther = known.type !== type || known',
    replace: 'const isOther = known',
    why: 'A document could rename an account of the back office and take its scopes.',
    caughtBy: {
      file: `${TESTS}/backoffice/replace.test.ts`,
      name: /back office accounts of a group/,
    },
  },
];
