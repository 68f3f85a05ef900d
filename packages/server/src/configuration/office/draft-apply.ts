import { insertEntry } from '../../audit/entry-store.ts';
import type { Fault } from '../../http/errors.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { rebaseChanges } from '../draft-changes.ts';
import { type Desk, described, type Edit, type EditDeps, edit, write } from '../edit-drafts.ts';
import { publishedState } from '../effective.ts';
import type { ExaminingDeps } from '../examine.ts';
import { openDocument, planDocument } from '../plan-document.ts';
import { findGroupHeldForGuids } from '../publication-store.ts';
import { draftedOtherwise, stateMoved } from '../refusals.ts';
import { readChanges } from '../written-change.ts';
import { readDraftOnWire } from './draft-get.ts';

/** So few that no part keeps other requests waiting (API-12). */
const OBJECTS_AT_ONCE = 250;

export const applyDraftHandler =
  (deps: EditDeps & ExaminingDeps): HandlerOf<'backOffice.configuration.draft.apply'> =>
  async (request) => {
    await openDocument(deps, request, (examination, sent) =>
      edit(deps, request, async (desk) => {
        const { sql, restaurant } = desk;
        const { expectedState = null, conflicts = 'refuse' } = sent;
        const state = publishedState(restaurant.guid, restaurant.publishNumber);
        if (expectedState !== null && expectedState !== state) throw stateMoved('configuration');
        const { actionCount } = await planDocument(sql, examination, restaurant, () =>
          findGroupHeldForGuids(sql, restaurant.managementGroupGuid),
        );
        const faults: Fault[] = [];
        for (let from = 0; from < actionCount; from += OBJECTS_AT_ONCE) {
          const text = await examination.ask('write', from, from + OBJECTS_AT_ONCE);
          const isKept = conflicts === 'keep';
          const rebased = await rebaseChanges(sql, restaurant.guid, readChanges(text), isKept);
          faults.push(...rebased.faults);
          await recordTogether(desk, await write(desk, rebased.edits));
        }
        if (conflicts === 'refuse' && faults.length > 0) throw draftedOtherwise(faults);
      }),
    );
    return { json: await readDraftOnWire(deps.database, request.restaurant.guid) };
  };

async function recordTogether(
  { sql, restaurant, origin }: Desk,
  edits: readonly Edit[],
): Promise<void> {
  if (edits.length === 0) return;
  const before = edits.flatMap(({ view }) => view.draft ?? view.published ?? []);
  await insertEntry(sql, origin, {
    restaurantGuid: restaurant.guid,
    managementGroupGuid: restaurant.managementGroupGuid,
    subject: { kind: 'configurationDraft', id: restaurant.guid },
    before: { objects: before.map(described) },
    after: { objects: edits.map(({ object }) => described(object)) },
  });
}
