// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Pieces of code stand here as text.
import type { Defect } from '../defect.ts';

const SOURCE = 'packages/server/src/configuration';
const TESTS = 'packages/server/test/configuration';
const DRAFTS = `${TESTS}/drafts.test.ts`;
const PUBLISH = `${TESTS}/publish.test.ts`;
const HISTORY = `${TESTS}/history.test.ts`;
const FILES = `${TESTS}/files.test.ts`;

/** Defects of drafts, publications and configuration documents. */
export const draftDefects: readonly Defect[] = [
  {
    name: 'drafts-rights-of-before-the-wait',
    file: 'packages/server/src/backoffice/drafts/let-in-again.ts',
    find: 'if (isLarge && !isReached(await reachNow())) throw rightEnded();',
    replace: '',
    why: 'Whoever lost a right while he waited for the examiner would publish all the same.',
    caughtBy: {
      file: 'packages/server/test/configuration/files.test.ts',
      name: /a right that ends while somebody waits/,
    },
  },
  {
    name: 'drafts-state-not-compared',
    file: `${SOURCE}/publish.ts`,
    find: "if (state !== expectedState) throw stateMoved('drafts');",
    replace: '',
    why: 'Somebody would publish what nobody has looked at.',
    caughtBy: { file: PUBLISH, name: /publish 409: another state/ },
  },
  {
    name: 'drafts-outdated-published',
    file: `${SOURCE}/examination/publication.ts`,
    find: 'if (outdated.length > 0 && !isPreviewed) throw outdatedDrafts(outdated);',
    replace: '',
    why: 'An old draft would undo in silence what was published since.',
    caughtBy: { file: PUBLISH, name: /publish 409: outdated drafts/ },
  },
  {
    name: 'drafts-rules-not-held',
    file: `${SOURCE}/examination/publication.ts`,
    find: 'if (checked.faultCount > 0) throw',
    replace: 'if (checked.faultCount > 1_000) throw',
    why: 'Partners would get references that lead nowhere, and groups in circles.',
    caughtBy: { file: PUBLISH, name: /publish 422: all faults told/ },
  },
  {
    name: 'drafts-card-numbers-kept',
    file: `${SOURCE}/read-draft.ts`,
    find: '  checkCardNumbers(document, faults);\n',
    replace: '',
    why: 'A card number that somebody pasted into a name would be stored and shown to partners.',
    caughtBy: { file: DRAFTS, name: /400 422: bad input is told by its field/ },
  },
  {
    name: 'drafts-without-lock',
    file: `${SOURCE}/publication-store.ts`,
    find: `where guid = any(\${[...guids]}::uuid[])
    order by guid
    for no key update\``,
    replace: `where guid = any(\${[...guids]}::uuid[])
    order by guid\``,
    why: 'Of two edits at once one would be lost.',
    caughtBy: { file: DRAFTS, name: /200: edits at once are all kept/ },
  },
  {
    name: 'drafts-kept-after-publication',
    file: `${SOURCE}/publish.ts`,
    find: `    drafts.map(({ object }) => placeOf(object)),
  );`,
    replace: `    drafts.slice(1).map(({ object }) => placeOf(object)),
  );`,
    why: 'What was published would stay on the list of what is to be published.',
    caughtBy: { file: PUBLISH, name: /publish 200 K8: as previewed/ },
  },
  {
    name: 'drafts-guid-of-another-restaurant',
    file: `${SOURCE}/edit-drafts.ts`,
    find: 'if (elsewhere) throw takenElsewhere();',
    replace: '',
    why: 'Two restaurants would share an object, and no export of their group could be imported.',
    caughtBy: { file: DRAFTS, name: /409 422: a GUID is given once/ },
  },
  {
    name: 'drafts-foreign-restaurant-in-group',
    file: 'packages/server/src/backoffice/drafts/read-body.ts',
    find: 'if (guid === null || !reached.has(guid)) {',
    replace: 'if (guid === null) {',
    why: 'Whoever may publish one group could publish the drafts of any restaurant.',
    caughtBy: { file: PUBLISH, name: /publishGroup 404: out of reach is as unknown/ },
  },
  {
    name: 'drafts-roll-back-to-the-last-state',
    file: `${SOURCE}/publication-store.ts`,
    find: 'order by collection, guid, number`;',
    replace: 'order by collection, guid, number desc`;',
    why: 'Rolling back would show something that never was published.',
    caughtBy: {
      file: `${TESTS}/publication-property.test.ts`,
      name: /any history can be gone back through/,
    },
  },
  {
    name: 'drafts-roll-back-keeps-later-objects',
    file: `${SOURCE}/examination/way-back.ts`,
    find: 'after: { ...now, archived: true }, isLater: true',
    replace: 'after: now, isLater: true',
    why: 'Partners would go on seeing what came after the publication that was gone back to.',
    caughtBy: { file: HISTORY, name: /rollBack 200: byte for byte/ },
  },
  {
    name: 'drafts-plan-not-bound',
    file: `${SOURCE}/apply-file.ts`,
    find: 'if (expectedState !== null && expectedState !== state) throw',
    replace: 'if (expectedState === state && state === null) throw',
    why: 'A file would be applied to another configuration than the one that was looked at.',
    caughtBy: { file: FILES, name: /409: a plan is bound to its state/ },
  },
  {
    name: 'drafts-incomplete-document-archives',
    file: `${SOURCE}/merged-file.ts`,
    find: 'const isComplete = file.complete === true;',
    replace: 'const isComplete = file.complete !== false;',
    why: 'A file with one new item would take everything else off the menu.',
    caughtBy: { file: FILES, name: /200: what is not named stays, unless complete/ },
  },
  {
    name: 'drafts-publication-in-every-apply',
    file: `${SOURCE}/apply-file.ts`,
    find: 'if (plan.isUpToDate) return { plan, publication: null };',
    replace: '',
    why: 'Each run of a pipeline that applies files would throw partners out of their pages.',
    caughtBy: { file: FILES, name: /export is a no-op/ },
  },
  {
    name: 'drafts-faults-beyond-the-kept',
    file: `${SOURCE}/check-configuration.ts`,
    find: '  if (count === kept.length) return { found, count: found.length };\n',
    replace: '  if (count > 0) return { found, count: found.length };\n',
    why: 'Behind ten thousand old faults a new one would be published, told to nobody.',
    caughtBy: {
      file: 'packages/server/src/configuration/check-configuration.test.ts',
      name: /publish 422: a fault behind ten thousand/,
    },
  },
  {
    name: 'drafts-export-without-what-it-names',
    file: `${SOURCE}/examination/document.ts`,
    find: '        if (named) written.add(named);\n',
    replace: '        if (named && !named.archived) written.add(named);\n',
    why: 'An export kept in version control could not build the restaurant again.',
    caughtBy: { file: FILES, name: /export 200: it can be applied where there is nothing/ },
  },
  {
    name: 'drafts-examined-beside-payments',
    file: `${SOURCE}/examination/examiner.ts`,
    find: 'if (!isLarge) return',
    replace: 'if (isLarge || !isLarge) return',
    why: 'A large configuration would hold up every payment for seconds.',
    caughtBy: {
      file: 'packages/server/src/configuration/examination/examiner.test.ts',
      name: /a large document leaves the process free/,
    },
  },
  {
    name: 'drafts-objects-without-end',
    file: `${SOURCE}/read-file.ts`,
    find: 'if (count <= Math.max(configurationObjectsAtMost, before)) return;',
    replace: 'if (count >= 0) return;',
    why: 'One restaurant could keep the configurations of all others waiting for minutes.',
    caughtBy: {
      file: 'packages/server/src/configuration/check-configuration.test.ts',
      name: /a restaurant has so many objects/,
    },
  },
  {
    name: 'drafts-examined-all-at-once',
    file: `${SOURCE}/examination/examiner.ts`,
    find: '        await before;\n',
    replace: '',
    why: 'Two configurations would be examined in one place, and one be published for the other.',
    caughtBy: {
      file: 'packages/server/src/configuration/examination/examiner.test.ts',
      name: /plan 503: one at a time/,
    },
  },
  {
    name: 'drafts-refusal-of-nobody-in-a-group',
    file: `${SOURCE}/publish.ts`,
    find: '.catch((error) => throwOf(restaurant.name, error))',
    replace: '',
    why: 'Of many restaurants nobody would know which one refuses.',
    caughtBy: { file: PUBLISH, name: /publishGroup 409 422: all of them or none/ },
  },
  {
    name: 'drafts-errors-without-end',
    file: 'packages/server/src/configuration/document/shape.ts',
    find: '(counted) => counted + stop',
    replace: '(counted) => (stop ? counted : stop)',
    why: 'A body of two megabytes from one restaurant would hold up all others for long.',
    caughtBy: {
      file: 'packages/server/src/configuration/document/hostile.test.ts',
      name: /looking comes to an end/,
    },
  },
  {
    name: 'drafts-tree-walked-again',
    file: 'packages/server/src/configuration/document/menu-tree.ts',
    find: '        known.add(at);\n',
    replace: '        if (walked.has(at)) known.add(at);\n',
    why: 'Groups nested by the thousand would hold up the whole platform for minutes.',
    caughtBy: {
      file: 'packages/server/src/configuration/document/hostile.test.ts',
      name: /cost like groups side by side/,
    },
  },
];
