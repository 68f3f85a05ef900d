import type { Clock } from '@servery/support/clock.ts';
import { newGuid } from '@servery/support/ids.ts';
import { type ChangeOrigin, insertEntry } from '../audit/entry-store.ts';
import { originOf } from '../audit/origin.ts';
import type { Database, Sql } from '../database/database.ts';
import { ApiError } from '../http/errors.ts';
import type { BackOfficeRestaurantRequest } from '../http/operation.ts';
import type { ObjectContents, ObjectKind, ObjectPlace } from './document/contents.ts';
import { tipWithholdingGuid } from './document/identity.ts';
import { allFields } from './document/stored-object.ts';
import { type DraftRow, deleteDrafts, listDrafts, updateDrafts } from './draft-store.ts';
import { baseDigestOf } from './effective.ts';
import { followLinks } from './menu-links.ts';
import { byPlaceKey, documentOf, isSameState, placeKey } from './object-state.ts';
import { findRestaurantLocked, type RestaurantHead } from './publication-store.ts';
import { listObjects, type ObjectSelection } from './write-store.ts';

export interface EditDeps {
  readonly database: Database;
  readonly realClock: Clock;
}

export interface ObjectView {
  readonly published: ObjectContents | null;
  readonly draft: DraftRow | null;
}

/** `sql` is a transaction that holds the restaurant's row. */
export interface Desk {
  readonly sql: Sql;
  readonly restaurant: RestaurantHead;
  readonly origin: ChangeOrigin;
}

const LINKED: readonly ObjectKind[] = ['menus', 'menuGroups'];

/**
 * Edits and publications of a restaurant wait for each other, so that no edit starts from an
 * outdated object.
 */
export async function edit<Result>(
  { database, realClock }: EditDeps,
  request: BackOfficeRestaurantRequest,
  work: (desk: Desk) => Promise<Result>,
): Promise<Result> {
  const origin = originOf(request, realClock);
  return await database.transaction(async (sql) => {
    const restaurant = await findRestaurantLocked(sql, request.restaurant.guid);
    return await work({ sql, restaurant, origin });
  });
}

async function listViews(
  sql: Sql,
  restaurantGuid: string,
  selection: ObjectSelection,
): Promise<ReadonlyMap<string, ObjectView>> {
  const published = byPlaceKey(await listObjects(sql, restaurantGuid, selection));
  const drafts = byPlaceKey(await listDrafts(sql, restaurantGuid, selection));
  const keys = [...published.keys(), ...drafts.keys()];
  return new Map(
    keys.map((key) => [
      key,
      { published: published.get(key) ?? null, draft: drafts.get(key) ?? null },
    ]),
  );
}

export async function findViews(
  sql: Sql,
  restaurantGuid: string,
  collection: ObjectKind,
  guids: readonly string[],
): Promise<ObjectView[]> {
  const places = guids.map((guid) => ({ collection, guid }));
  const views = await listViews(sql, restaurantGuid, { places });
  return guids.flatMap((guid) => views.get(placeKey({ collection, guid })) ?? []);
}

export async function findView(
  sql: Sql,
  restaurantGuid: string,
  { collection, guid }: ObjectPlace,
): Promise<ObjectView | null> {
  const [view] = await findViews(sql, restaurantGuid, collection, [guid]);
  return view ?? null;
}

/** There always is one (CFG-11). Without a stored one, gives one that withholds nothing. */
export async function findTipWithholding(sql: Sql, restaurantGuid: string): Promise<ObjectView> {
  const views = await listViews(sql, restaurantGuid, { collections: ['tipWithholding'] });
  const all = [...views.values()];
  const live = all.find(({ published, draft }) => draft || !published?.archived);
  return live ?? all[0] ?? { published: unsetTipWithholding(restaurantGuid), draft: null };
}

function unsetTipWithholding(restaurantGuid: string): ObjectContents {
  return {
    collection: 'tipWithholding',
    guid: tipWithholdingGuid(restaurantGuid),
    multiLocationId: null,
    externalId: null,
    fields: allFields('tipWithholding', {}),
    archived: false,
    modifiedAt: null,
  };
}

export function objectOf({ published, draft }: ObjectView): ObjectContents {
  const object = draft ?? published;
  if (!object) throw new Error('an object is neither published nor drafted');
  return object;
}

/** What an edit can expect: it changes with each edit and, without a draft, with each publication. */
export function stateOf({ published, draft }: ObjectView): string {
  return draft?.revision ?? baseDigestOf(published) ?? '';
}

export async function save(
  desk: Desk,
  view: ObjectView,
  object: ObjectContents,
): Promise<ObjectView> {
  const isLinked = LINKED.includes(object.collection);
  await store(desk, isLinked ? await linkedEdits(desk, view, object) : [{ view, object }]);
  return (await findView(desk.sql, desk.restaurant.guid, object)) ?? { ...view, draft: null };
}

export interface Edit {
  readonly view: ObjectView;
  readonly object: ObjectContents;
}

/** Menus and groups name each other. When one side changes, the other follows. */
async function linkedEdits(
  { sql, restaurant }: Desk,
  view: ObjectView,
  object: ObjectContents,
): Promise<Edit[]> {
  const views = await listViews(sql, restaurant.guid, { collections: LINKED });
  const all = [...views.values()].map(objectOf);
  const followed = byPlaceKey(followLinks(all, view.draft ?? view.published, object));
  return [...new Map([[placeKey(object), object], ...followed])].map(([key, edited]) => ({
    view: views.get(key) ?? { published: null, draft: null },
    object: edited,
  }));
}

async function store(desk: Desk, edits: readonly Edit[]): Promise<void> {
  for (const { view, object } of await write(desk, edits)) {
    await record(desk, object, view.draft ?? view.published, object);
  }
}

/** Gives those that differ from what was there. The caller records them. */
export async function write(
  { sql, restaurant, origin }: Desk,
  edits: readonly Edit[],
): Promise<readonly Edit[]> {
  const changed = edits.filter(
    ({ view, object }) => !isSameState(object, view.draft ?? view.published),
  );
  const { ended = [], kept = [] } = Object.groupBy(changed, ({ view, object }) =>
    isSameState(object, view.published) ? 'ended' : 'kept',
  );
  const places = ended.map(({ object }) => object);
  if (places.length > 0) await deleteDrafts(sql, restaurant.guid, places);
  const drafts = kept.map(({ view, object }) => ({
    ...object,
    revision: newGuid(),
    baseDigest: baseDigestOf(view.published),
  }));
  if (drafts.length > 0) await updateDrafts(sql, restaurant.guid, drafts, origin.by, origin.at);
  return changed;
}

export async function record(
  { sql, restaurant, origin }: Desk,
  place: ObjectPlace,
  before: ObjectContents | null,
  after: ObjectContents | null,
): Promise<void> {
  await insertEntry(sql, origin, {
    restaurantGuid: restaurant.guid,
    managementGroupGuid: restaurant.managementGroupGuid,
    subject: { kind: 'configurationDraft', id: placeKey(place) },
    before: before && described(before),
    after: after && described(after),
  });
}

export function described(object: ObjectContents): Readonly<Record<string, unknown>> {
  const { collection, archived } = object;
  return { collection, archived, ...documentOf(object) };
}

export function noDraft(): ApiError {
  return new ApiError(
    'conflict',
    'There is no draft to discard: somebody may have just published or discarded it. List the ' +
      'drafts to see which exist.',
  );
}
