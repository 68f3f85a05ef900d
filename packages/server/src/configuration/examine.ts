import type { Database, Sql } from '../database/database.ts';
import { ApiError } from '../http/errors.ts';
import type { BackOfficeRequest } from '../http/operation.ts';
import { reachesRestaurant } from '../reach/reach.ts';
import type { ObjectPlace } from './document/contents.ts';
import type { Examination, Examiner } from './examination/examiner.ts';
import { findRestaurantHead, type RestaurantHead } from './publication-store.ts';
import { findObjectCount, listObjectTexts } from './write-store.ts';

export interface ExaminingDeps {
  readonly database: Database;
  readonly examiner: Examiner;
}

const OBJECTS_AT_ONCE = 3_000;
/** For so few objects a thread is not faster. */
const FEW_OBJECTS = 500;
const SHORT_DOCUMENT = 65_536;

/**
 * Waits for the examiner before it takes a database connection. A request can wait a minute for
 * it, so this checks the caller's rights again (AUTH-9). Throws ApiError `forbidden` when they no
 * longer suffice.
 */
export async function examine<Result>(
  { database, examiner }: ExaminingDeps,
  { reachNow }: Pick<BackOfficeRequest, 'reachNow'>,
  restaurants: readonly Pick<RestaurantHead, 'guid' | 'managementGroupGuid'>[],
  work: (examination: Examination) => Promise<Result>,
  documentLength = 0,
): Promise<Result> {
  const guids = restaurants.map(({ guid }) => guid);
  const isLarge =
    documentLength > SHORT_DOCUMENT ||
    (await findObjectCount(database.sql, guids, FEW_OBJECTS + 1)) > FEW_OBJECTS;
  return await examiner.examine(isLarge, async (examination) => {
    const reach = isLarge ? await reachNow() : null;
    if (reach && !restaurants.every((each) => reachesRestaurant(reach, each))) throw rightEnded();
    return await work(examination);
  });
}

export async function inSnapshot<Result>(
  database: Database,
  restaurantGuid: string,
  work: (sql: Sql, restaurant: RestaurantHead) => Promise<Result>,
): Promise<Result> {
  return await database.transaction(
    async (sql) => work(sql, await findRestaurantHead(sql, restaurantGuid)),
    { isolation: 'repeatable read', readOnly: true },
  );
}

/** Gives the examination everything that is published. */
export async function feed(
  sql: Sql,
  examination: Examination,
  restaurantGuid: string,
): Promise<void> {
  await examination.ask('begin');
  for (let after: ObjectPlace | null = null; ; ) {
    const rows = await listObjectTexts(sql, restaurantGuid, after, OBJECTS_AT_ONCE);
    await examination.ask(
      'add',
      rows.map(({ text }) => text),
    );
    if (rows.length < OBJECTS_AT_ONCE) return;
    after = rows.at(-1) ?? null;
  }
}

function rightEnded(): ApiError {
  return new ApiError(
    'forbidden',
    'You lost the permission to do this while the request was waiting. Nothing was done.',
  );
}
