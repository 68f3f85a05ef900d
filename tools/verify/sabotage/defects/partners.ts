// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Pieces of code stand here as text.
import type { Defect } from '../defect.ts';

const SOURCE = 'packages/server/src/partners';
const TESTS = 'packages/server/test/partners';

/** Defects of access to restaurants, and of the lists of connected ones. */
export const partnerDefects: readonly Defect[] = [
  {
    name: 'access-removed-connection-granted',
    file: `${SOURCE}/store.ts`,
    find: `and connection.partner_guid = \${partnerGuid}
      and connection.removed_at is null`,
    replace: 'and connection.partner_guid = ${partnerGuid}',
    why: 'A partner would still reach a restaurant that has left it.',
    caughtBy: { file: `${TESTS}/access.test.ts`, name: /T9: connecting and disconnecting/ },
  },
  {
    name: 'access-any-group',
    file: 'packages/server/src/http/reach.ts',
    find: 'reach.groupGuids.includes(restaurant.managementGroupGuid) ||',
    replace: 'reach.groupGuids.length > 0 ||',
    why: 'A management group would reach the restaurants of all others.',
    caughtBy: { file: `${TESTS}/access.test.ts`, name: /T7: a CUSTOMER reaches exactly/ },
  },
  {
    name: 'access-restaurant-in-path-unchecked',
    file: 'packages/server/src/restaurants/routes.ts',
    find: "if (access.outcome !== 'granted') throw notThere();",
    replace: "if (access.outcome === 'unknown') throw notThere();",
    why: 'Any client could read any restaurant by naming it in the path.',
    caughtBy: {
      file: 'packages/server/test/restaurants/restaurants.test.ts',
      name: /404 I1: malformed, unknown, and out of reach/,
    },
  },
  {
    name: 'partners-page-size-ignored',
    file: `${SOURCE}/read-page.ts`,
    find: 'readPageSize(request.pageSize) ?? DEFAULT_PAGE_SIZE',
    replace: 'DEFAULT_PAGE_SIZE',
    why: 'A partner would get pages larger than it asked for.',
    caughtBy: { file: `${TESTS}/lists.test.ts`, name: /R2: numbers and tokens of each page/ },
  },
  {
    name: 'partners-link-without-next',
    file: `${SOURCE}/routes.ts`,
    find: "nextPageToken === null ? first : `${first}, ${link('next', nextPageToken)}`",
    replace: 'first',
    why: 'A partner that follows links would see the first page only.',
    caughtBy: { file: `${TESTS}/lists.test.ts`, name: /R4: Link leads through all pages/ },
  },
  {
    name: 'partners-link-forgets-last-modified',
    file: `${SOURCE}/routes.ts`,
    find: 'new URLSearchParams(lastModified === null ? {} : { lastModified })',
    replace: 'new URLSearchParams()',
    why: 'The links of a filtered list would say something else than its request.',
    caughtBy: { file: `${TESTS}/lists.test.ts`, name: /R4: links keep lastModified/ },
  },
  {
    name: 'partners-foreign-page-token',
    file: `${SOURCE}/read-page.ts`,
    find: 'if (position.partnerGuid !== request.partnerGuid) throw foreignToken();',
    replace: '',
    why: 'A page token that leaked would show the restaurants of another partner.',
    caughtBy: { file: `${TESTS}/lists.test.ts`, name: /R3: a token that does not fit/ },
  },
  {
    name: 'partners-removed-connection-listed',
    file: `${SOURCE}/store.ts`,
    find: `and removed_at is null
        \${isChangedAfter`,
    replace: '${isChangedAfter',
    why: 'The lists would name restaurants that are out of reach.',
    caughtBy: { file: `${TESTS}/lists.test.ts`, name: /R5: a removed connection leaves both/ },
  },
];
