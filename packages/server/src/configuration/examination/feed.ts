import type { Sql } from '../../database/database.ts';
import { findObjectCount, listObjectTexts, type ObjectText } from '../write-store.ts';
import type { WrittenChanges } from '../written-change.ts';
import type { Examination } from './examiner.ts';

const OBJECTS_AT_ONCE = 3_000;
/** For so few objects a thread is not faster. */
const FEW_OBJECTS = 500;
const SHORT_DOCUMENT = 65_536;

export async function isLarge(
  sql: Sql,
  restaurantGuids: readonly string[],
  documentLength = 0,
): Promise<boolean> {
  if (documentLength > SHORT_DOCUMENT) return true;
  return (await findObjectCount(sql, restaurantGuids, FEW_OBJECTS + 1)) > FEW_OBJECTS;
}

export async function feed(
  sql: Sql,
  examination: Examination,
  restaurantGuid: string,
): Promise<void> {
  await examination.ask('begin');
  for (let after: ObjectText | null = null; ; ) {
    const rows = await listObjectTexts(sql, restaurantGuid, after, OBJECTS_AT_ONCE);
    await examination.ask(
      'add',
      rows.map(({ text }) => text),
    );
    if (rows.length < OBJECTS_AT_ONCE) return;
    after = rows.at(-1) ?? null;
  }
}

export async function changesOf(examination: Examination): Promise<WrittenChanges> {
  return {
    ...(await examination.ask('summarize')),
    read: (from, to) => examination.ask('write', from, to),
  };
}
