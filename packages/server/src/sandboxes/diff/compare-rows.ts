import type { SandboxDifference } from '@servery/contract';
import { fieldChanges } from '../../configuration/describe-changes.ts';
import type { Sql } from '../../database/database.ts';
import type { NamedDigest, Place, PlaceRow } from './diff-store.ts';
import type { DifferenceList, FoundDifferences } from './found-differences.ts';
import { inStep, type Pair, placeText } from './in-step.ts';

export interface Content extends Omit<SandboxDifference, 'restaurantGuid' | 'fields'> {
  readonly restaurantGuid: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface ComparedRows {
  /** In the order of their places. May leave out places that both sides have alike. */
  listDigests(sql: Sql, after: Place | null, limit: number): Promise<readonly PlaceRow[]>;
  listContents(sql: Sql, places: readonly Place[]): Promise<readonly Content[]>;
  /** Whether there can be contents without a row. */
  readonly isRowOptional?: true;
}

export interface Sides {
  readonly one: Sql;
  readonly other: Sql;
}

const BATCH_ROWS = 200;

export async function compareRows(
  { one, other }: Sides,
  compared: ComparedRows,
  found: FoundDifferences,
): Promise<FoundDifferences> {
  const pairs = inStep(
    (after, limit) => compared.listDigests(one, after, limit),
    (after, limit) => compared.listDigests(other, after, limit),
  );
  let batch: Place[] = [];
  const finishBatch = async () => {
    await compareContents({ one, other }, compared, batch, found);
    batch = [];
  };
  for await (const pair of pairs) {
    if (pair.before?.digest === pair.after?.digest) continue;
    if (!found.wants(listsOf(pair, compared))) {
      if (pair.isRestAlike) break;
      continue;
    }
    const place = pair.before ?? pair.after;
    if (place) batch.push(place);
    if (batch.length === BATCH_ROWS) await finishBatch();
  }
  if (batch.length > 0) await finishBatch();
  return found;
}

/** The lists that a difference can get into. */
export function listsOf(
  { before, after }: Pick<Pair<Place>, 'before' | 'after'>,
  { isRowOptional }: Pick<ComparedRows, 'isRowOptional'> = {},
): readonly DifferenceList[] {
  if (before && after) return ['changed'];
  const list = before ? 'removed' : 'added';
  return isRowOptional ? [list, 'changed'] : [list];
}

/** Equal contents may have been written differently, and so have other digests. */
async function compareContents(
  { one, other }: Sides,
  { listContents }: ComparedRows,
  places: readonly Place[],
  found: FoundDifferences,
): Promise<void> {
  const [before, after] = await Promise.all([
    listContents(one, places).then(byPlace),
    listContents(other, places).then(byPlace),
  ]);
  for (const place of places.map(placeText)) {
    addDifference(before.get(place) ?? null, after.get(place) ?? null, found);
  }
}

function byPlace(contents: readonly Content[]): ReadonlyMap<string, Content> {
  return new Map(contents.map((content) => [placeText(content), content]));
}

function addDifference(
  before: Content | null,
  after: Content | null,
  found: FoundDifferences,
): void {
  const shown = after ?? before;
  if (!shown) return;
  const [list = 'changed'] = listsOf({ before, after });
  const fields = before && after ? fieldChanges(before.fields, after.fields) : [];
  if (list === 'changed' && fields.length === 0) return;
  found.add(list, { ...shown, fields });
}

/** In order. */
export function unequalNames<Name extends string>(
  before: readonly NamedDigest<Name>[],
  after: readonly NamedDigest<Name>[],
): Name[] {
  const digests = new Map(before.map(({ name, digest }) => [name, digest]));
  for (const { name, digest } of after) {
    if (digests.get(name) === digest) digests.delete(name);
    else digests.set(name, digest);
  }
  return [...digests.keys()].sort();
}
