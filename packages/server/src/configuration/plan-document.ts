import type { ApplyConfiguration, ConfigurationPlan, DraftConfiguration } from '@servery/contract';
import type { Sql } from '../database/database.ts';
import type { RequestFor } from '../http/operation.ts';
import { readParsedBody } from '../http/pipeline/read-request.ts';
import type { Examination } from './examination/examiner.ts';
import { type ExaminingDeps, examine, feed } from './examine.ts';
import { listGuidsElsewhere, type RestaurantHead } from './publication-store.ts';

type SentBeside = Omit<ApplyConfiguration & DraftConfiguration, 'document'>;

/**
 * Throws what `parseJson` throws, and ApiError with every fault. `body` is the request's body
 * without the document's content.
 */
export async function openDocument<Result>(
  deps: ExaminingDeps,
  request: RequestFor<
    | 'backOffice.configuration.apply'
    | 'backOffice.configuration.draft.apply'
    | 'backOffice.configuration.plan'
  >,
  work: (examination: Examination, body: SentBeside) => Promise<Result>,
): Promise<Result> {
  const { restaurant, body } = request;
  const open = async (examination: Examination) => {
    const opened = await examination.ask('open', body);
    return await work(examination, readParsedBody<SentBeside>(request, opened));
  };
  return await examine(deps, request, [restaurant], open, body.length);
}

/**
 * Throws ApiError `unprocessable` with every fault. Calls `holdGuids` before it looks elsewhere for
 * the document's own GUIDs.
 */
export async function planDocument(
  sql: Sql,
  examination: Examination,
  restaurant: RestaurantHead,
  holdGuids: () => Promise<void> = async () => {},
): Promise<ConfigurationPlan> {
  await feed(sql, examination, restaurant.guid);
  const { plan, givenGuids } = await examination.ask('plan', restaurant);
  if (givenGuids.length > 0) {
    await holdGuids();
    const taken = await listGuidsElsewhere(sql, restaurant, givenGuids);
    if (taken.length > 0) await examination.ask('refuseGuids', taken);
  }
  return plan;
}
