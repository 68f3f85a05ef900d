import type { Defect } from '../defect.ts';

const SOURCE = 'packages/server/src/backoffice/group-document';
const TESTS = 'packages/server/test/backoffice';

/** Defects of the import of group documents. */
export const backOfficeDefects: readonly Defect[] = [
  {
    name: 'import-not-atomic',
    file: `${SOURCE}/import.ts`,
    find: 'write({ ...deps, sql, cardKeys }, contents, options, nowMs)',
    replace: 'write({ ...deps, sql: deps.database.sql, cardKeys }, contents, options, nowMs)',
    why: 'An import that fails would leave half a group behind.',
    caughtBy: { file: `${TESTS}/group-document.test.ts`, name: /a fault at the end undoes/ },
  },
  {
    name: 'import-replaces-unasked',
    file: `${SOURCE}/import.ts`,
    find: 'if (replace) return updateGroupName(sql, group, now);',
    replace: 'if (group) return updateGroupName(sql, group, now);',
    why: 'A group would be overwritten by an import that was not to replace it.',
    caughtBy: { file: `${TESTS}/group-document.test.ts`, name: /that exists is refused without/ },
  },
  {
    name: 'import-replace-keeps-unnamed',
    file: `${SOURCE}/import.ts`,
    find: 'changed += await updateUnnamedArchived(sql, guid, named, CHANGING);',
    replace: 'changed += named.length > 0 ? 0 : 1;',
    why: 'What a document does not name any more would stay on the menu.',
    caughtBy: { file: `${TESTS}/group-document.test.ts`, name: /K8: what a replacement does not/ },
  },
  {
    name: 'import-always-publishes',
    file: `${SOURCE}/import.ts`,
    find: '} else if (changed > 0) await recordImportedChanges(sql, guid, stored, now);',
    replace: '} else await recordImportedChanges(sql, guid, stored, now);',
    why: 'An import that changes nothing would break the paging of every partner.',
    caughtBy: { file: `${TESTS}/group-document.test.ts`, name: /an unchanged import changes/ },
  },
  {
    name: 'import-account-not-revoked',
    file: `${SOURCE}/import-clients.ts`,
    find: 'await revokeAccount(deps.sql, known.clientId, origin);',
    replace: 'await Promise.resolve(revokeAccount);',
    why: 'An account that was taken out of the document would go on.',
    caughtBy: { file: `${TESTS}/replace.test.ts`, name: /T9: a partner goes with its accounts/ },
  },
  {
    name: 'import-takes-foreign-restaurant',
    file: `${SOURCE}/import.ts`,
    find: 'if (owner !== null && owner !== groupGuid) throw ownedByOthers(restaurant);',
    replace: '',
    why: 'One group could change the restaurant of another.',
    caughtBy: { file: `${TESTS}/group-document.test.ts`, name: /restaurant cannot be taken/ },
  },
  {
    name: 'import-ignores-abort',
    file: `${SOURCE}/import.ts`,
    find: `signal?.throwIfAborted();
      onProgress`,
    replace: 'onProgress',
    why: 'An operator who stops an import would wait until it is done.',
    caughtBy: { file: `${TESTS}/import-transaction.test.ts`, name: /aborted between two batches/ },
  },
];
