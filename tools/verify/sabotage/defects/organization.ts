// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Pieces of code stand here as text.
import type { Defect } from '../defect.ts';

const SERVER = 'packages/server/src';
const SOURCE = `${SERVER}/restaurants`;
const DOOR = `${SERVER}/backoffice/organization`;
const TESTS = 'packages/server/test/backoffice';

/** Defects of management groups and restaurants in the back office. */
export const organizationDefects: readonly Defect[] = [
  {
    name: 'organization-shared-guid-moves',
    file: 'packages/server/src/restaurants/manage-restaurants.ts',
    find: '  if (shared.length === 0) return;\n',
    replace: '  if (shared.length > -1) return;\n',
    why: 'A group would have two objects of one GUID, and no export of it could be imported.',
    caughtBy: {
      file: 'packages/server/test/backoffice/restaurants.test.ts',
      name: /409: a GUID is that of one object in a group/,
    },
  },
  {
    name: 'organization-edit-without-lock',
    file: `${SOURCE}/admin-store.ts`,
    find: 'from restaurant where guid = ${guid} for no key update`;',
    replace: 'from restaurant where guid = ${guid}`;',
    why: 'Of two administrators who edit at once one would lose what he wrote.',
    caughtBy: { file: `${TESTS}/restaurant-races.test.ts`, name: /edits at once none is lost/ },
  },
  {
    name: 'organization-version-unchecked',
    file: `${DOOR}/sent-document.ts`,
    find: 'if (sent === null || sent === version) return;',
    replace: 'if (sent === null || version > 0) return;',
    why: 'Somebody would overwrite a change that he has never seen.',
    caughtBy: { file: `${TESTS}/restaurants.test.ts`, name: /another version than the one read/ },
  },
  {
    name: 'organization-version-never-raised',
    file: `${SOURCE}/admin-store.ts`,
    find: 'version = version + 1, modified_at = ${now}',
    replace: 'modified_at = ${now}',
    why: 'A version would say nothing, and everybody would overwrite everybody.',
    caughtBy: {
      file: `${TESTS}/restaurant-races.test.ts`,
      name: /restaurants\.update 200 409: of many/,
    },
  },
  {
    name: 'organization-archived-by-one-restaurant',
    file: `${SOURCE}/manage-restaurants.ts`,
    find: 'if (!reachesGroup(reach, before.managementGroupGuid)) {',
    replace: 'if (!archived && !reachesGroup(reach, before.managementGroupGuid)) {',
    why: 'The administrator of one restaurant could close it over the head of its group.',
    caughtBy: {
      file: `${TESTS}/restaurant-reach.test.ts`,
      name: /what each kind of caller may do/,
    },
  },
  {
    name: 'organization-restaurant-given-away',
    file: `${SOURCE}/manage-restaurants.ts`,
    find: '      requireGroup(before.managementGroupGuid, reach);\n',
    replace: '',
    why: 'Somebody could take a restaurant out of a group that he does not reach.',
    caughtBy: { file: `${TESTS}/restaurants.test.ts`, name: /may go to another group/ },
  },
  {
    name: 'organization-list-of-others',
    file: `${SOURCE}/admin-store.ts`,
    find: 'where ${isAtReachedRestaurant(sql, sql`guid`, reach)} ${isInGroup}',
    replace: 'where true ${isInGroup}',
    why: 'A restaurant group would read the list of all others.',
    caughtBy: { file: `${TESTS}/restaurant-reach.test.ts`, name: /only what is reached/ },
  },
  {
    name: 'organization-partners-not-told',
    file: `${SOURCE}/manage-restaurants.ts`,
    find: 'if (!isListedAlike(before, after)) await',
    replace: 'if (before === after) await',
    why: 'A partner that asks for what changed would never hear that a restaurant closed.',
    caughtBy: { file: `${TESTS}/restaurant-reach.test.ts`, name: /partners see a change at once/ },
  },
  {
    name: 'organization-change-dated-untold',
    file: 'packages/server/src/partners/record-restaurant-change.ts',
    find: 'for (const { before, position } of positions) {',
    replace: 'for (const { before, position } of positions.slice(0, 0)) {',
    why: 'A partner that waits for events would never hear that a restaurant closed.',
    caughtBy: {
      file: `${TESTS}/restaurant-events.test.ts`,
      name: /what lists tell of a restaurant is told when it changes/,
    },
  },
  {
    name: 'organization-import-dates-nothing',
    file: 'packages/server/src/backoffice/group-document/import.ts',
    find: 'if (modifiedAt === null && isToldAnew.has(connection.restaurantGuid)) {',
    replace: 'if (modifiedAt?.getTime() === 0) {',
    why: 'A partner that asks for what changed would not hear of what an import archived.',
    caughtBy: { file: `${TESTS}/restaurant-events.test.ts`, name: /it renames or archives dates/ },
  },
  {
    name: 'organization-change-unrecorded',
    file: `${SOURCE}/manage-restaurants.ts`,
    find: '  await recordRestaurant(sql, origin, before, after);\n',
    replace: '',
    why: 'Nobody could tell who changed a restaurant.',
    caughtBy: { file: `${TESTS}/restaurants.test.ts`, name: /each field is set, read/ },
  },
  {
    name: 'organization-card-number-kept',
    file: `${DOOR}/sent-document.ts`,
    find: 'value : removeCardNumbers(value);',
    replace: 'value : value;',
    why: 'A card number that somebody wrote into a description would be shown to everybody.',
    caughtBy: { file: `${TESTS}/restaurants.test.ts`, name: /no card number is stored/ },
  },
  {
    name: 'organization-group-archived-alive',
    file: `${SOURCE}/manage-groups.ts`,
    find: 'if (live === null) return;',
    replace: "if (live !== '') return;",
    why: 'A group would be gone while its restaurants still sell.',
    caughtBy: { file: `${TESTS}/management-groups.test.ts`, name: /only without live restaurants/ },
  },
  {
    name: 'organization-archived-payments-forgotten',
    file: `${SERVER}/payments/due-store.ts`,
    find: 'lease_expires_at <= ${lease.realNow})',
    replace:
      'lease_expires_at <= ${lease.realNow}) and merchant_guid in (' +
      'select guid from restaurant where not archived)',
    why: 'The guests of a restaurant that closed would never get their holds back.',
    caughtBy: { file: `${TESTS}/planned-captures.test.ts`, name: /an archived restaurant live on/ },
  },
  {
    name: 'organization-lost-commit-assumed',
    file: `${SOURCE}/read-back.ts`,
    find: 'if (isDeepStrictEqual(stored, written)) return written;',
    replace: 'if (stored !== undefined) return written;',
    why: 'An administrator would be told of a change that the database never kept.',
    caughtBy: { file: `${TESTS}/restaurant-races.test.ts`, name: /a lost COMMIT is read back/ },
  },
  {
    name: 'organization-null-kept',
    file: `${SERVER}/http/merge-patch.ts`,
    find: 'if (value === null) merged.delete(name);',
    replace: 'if (value === undefined) merged.delete(name);',
    why: 'What is cleared would stay, and what cannot be null would become it.',
    caughtBy: {
      file: `${SERVER}/http/merge-patch.test.ts`,
      name: /every example of RFC 7396/,
    },
  },
  {
    name: 'organization-area-beyond-the-pole',
    file: `${SOURCE}/document/rules/polyline.ts`,
    find: 'return units / UNITS_PER_DEGREE;',
    replace: 'return units * (1 / UNITS_PER_DEGREE);',
    why: 'An area that touches a pole or the date line would be refused as off the planet.',
    caughtBy: { file: `${TESTS}/restaurant-properties.test.ts`, name: /a polygon on earth/ },
  },
  {
    name: 'organization-one-fault-at-a-time',
    file: `${DOOR}/sent-document.ts`,
    find: 'const SHOWN_FAULTS = 50;',
    replace: 'const SHOWN_FAULTS = 1;',
    why: 'Whoever enters a restaurant would be sent back once for each mistake.',
    caughtBy: { file: `${TESTS}/restaurants.test.ts`, name: /every fault is told, and nothing/ },
  },
];
