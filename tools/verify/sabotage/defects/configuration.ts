// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Pieces of code stand here as text.
import type { Defect } from '../defect.ts';

const SOURCE = 'packages/server/src/configuration';
const PAGES = 'packages/server/test/configuration/pages.test.ts';
const OBJECTS = 'packages/server/test/configuration/objects.test.ts';

/** Defects of the published configuration: pages that lack, repeat or mix, and what is hidden. */
export const configurationDefects: readonly Defect[] = [
  {
    name: 'configuration-pages-mix-publications',
    file: `${SOURCE}/read-page.ts`,
    find: 'if (position && position.publishNumber !== publishNumber) {',
    replace: 'if (position && publishNumber < 0) {',
    why: 'A partner would put pages of two menus together.',
    caughtBy: { file: PAGES, name: /409 K8 K9: a publication between two pages/ },
  },
  {
    name: 'configuration-cursor-repeats',
    file: `${SOURCE}/store.ts`,
    find: 'and guid > ${afterGuid}',
    replace: 'and guid >= ${afterGuid}',
    why: 'The last object of each page would come again on the next.',
    caughtBy: { file: PAGES, name: /K1 K9: pages of 300, ordered by guid/ },
  },
  {
    name: 'configuration-archived-served',
    file: `${SOURCE}/store.ts`,
    find: `and not archived
        \${restriction`,
    replace: '${restriction',
    why: 'Guests could order what the restaurant has taken off its menu.',
    caughtBy: { file: PAGES, name: /K8: archived and foreign objects stay out/ },
  },
  {
    name: 'configuration-foreign-page-token',
    file: `${SOURCE}/read-page.ts`,
    find: 'if (!isOurs) throw foreignToken();',
    replace: '',
    why: 'The token of one list would begin somewhere in the middle of another.',
    caughtBy: { file: PAGES, name: /400 K9: a token that this list did not give/ },
  },
  {
    name: 'configuration-page-token-forged',
    file: 'packages/server/src/http/paging.ts',
    find: 'if (bytes[0] !== VERSION || !timingSafeEqual(mac, macOf(payload))) throw',
    replace: 'if (bytes[0] !== VERSION || mac.length !== MAC_BYTES) throw',
    why: 'Anybody could write a page token and read wherever it points.',
    caughtBy: { file: 'packages/server/src/http/paging.test.ts', name: /with any changed bit/ },
  },
  {
    name: 'configuration-last-modified-not-strict',
    file: `${SOURCE}/store.ts`,
    find: 'and modified_at > ${modifiedAfter}',
    replace: 'and modified_at >= ${modifiedAfter}',
    why: 'A partner that asks for changes would get the last one again for ever.',
    caughtBy: { file: PAGES, name: /C8: lastModified is strict/ },
  },
  {
    name: 'configuration-archived-target-named',
    file: `${SOURCE}/store.ts`,
    find: 'where not target.archived',
    replace: 'where true',
    why: 'References would lead to objects that no collection has.',
    caughtBy: { file: OBJECTS, name: /K7: missing targets are null or left out/ },
  },
];
