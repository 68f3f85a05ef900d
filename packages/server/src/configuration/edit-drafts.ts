import type { CollectionName } from '@servery/contract';
import { newGuid } from '@servery/support/ids.ts';
import { type ChangeOrigin, insertEntry } from '../audit/entry-store.ts';
import type { Database, Sql } from '../database/database.ts';
import { ApiError } from '../http/errors.ts';
import type { Faults } from '../http/faults.ts';
import { mergePatch } from '../http/merge-patch.ts';
import type { ObjectContents, ObjectKind } from './document/contents.ts';
import type { DocumentObject } from './document/document.ts';
import { tipWithholdingGuid } from './document/identity.ts';
import { type DraftRow, deleteDrafts, findDraft, listDrafts, updateDrafts } from './draft-store.ts';
import { baseDigestOf, byPlaceKey, overlaid } from './effective.ts';
import { followLinks } from './menu-links.ts';
import {
  contentsOf,
  documentOf,
  isSameState,
  type ObjectPlace,
  placeKey,
  placeOf,
} from './object-state.ts';
import {
  findGroupHeldForGuids,
  listGuidsElsewhere,
  listRestaurantsLocked,
  type RestaurantHead,
} from './publication-store.ts';
import { readDraft } from './read-draft.ts';
import { TAKEN_ELSEWHERE } from './refusals.ts';
import { listSelectedObjects } from './write-store.ts';

export interface DraftDeps {
  readonly database: Database;
}

export interface ObjectView {
  readonly published: ObjectContents | null;
  readonly draft: DraftRow | null;
}

/** `sql` is a transaction that holds the restaurant's row. */
interface Desk {
  readonly sql: Sql;
  readonly restaurant: RestaurantHead;
  readonly origin: ChangeOrigin;
}

const LINKED: readonly ObjectKind[] = ['menus', 'menuGroups'];

/** Throws ApiError `conflict` when the restaurant has this GUID, and what `readDraft` throws. */
export async function createObject(
  deps: DraftDeps,
  restaurantGuid: string,
  collection: CollectionName,
  document: DocumentObject,
  origin: ChangeOrigin,
  faults: Faults,
): Promise<ObjectView> {
  return await edit(deps, restaurantGuid, origin, async (desk) => {
    const guid = typeof document.guid === 'string' ? document.guid.toLowerCase() : newGuid();
    const edited = { restaurantGuid, collection, guid, archived: false };
    const object = await readDraft(desk.sql, edited, document, faults);
    const place = { collection, guid };
    if (await findView(desk.sql, restaurantGuid, place)) throw existsAlready(place);
    if (document.guid !== undefined) {
      await findGroupHeldForGuids(desk.sql, desk.restaurant.managementGroupGuid);
    }
    const [elsewhere] = await listGuidsElsewhere(desk.sql, desk.restaurant, [guid]);
    if (elsewhere) faults.add(['guid'], TAKEN_ELSEWHERE);
    faults.refuse();
    return await save(desk, { published: null, draft: null }, object);
  });
}

/** Applies a merge patch. Null when the object doesn't exist. Throws what `readDraft` throws. */
export async function updateObject(
  deps: DraftDeps,
  restaurantGuid: string,
  place: { readonly collection: CollectionName; readonly guid: string },
  patch: DocumentObject,
  origin: ChangeOrigin,
  faults: Faults,
): Promise<ObjectView | null> {
  return await edit(deps, restaurantGuid, origin, async (desk) => {
    const view = await findView(desk.sql, restaurantGuid, place);
    if (!view) return null;
    const object = objectOf(view);
    const { archived: _archived, ...document } = documentOf(object);
    const patched = mergePatch(document, patch) as DocumentObject;
    if (String(patched.guid).toLowerCase() !== place.guid) {
      faults.add(['guid'], 'never changes; leave it out');
    }
    const edited = { restaurantGuid, ...place, archived: object.archived };
    return await save(desk, view, await readDraft(desk.sql, edited, patched, faults));
  });
}

/**
 * Null when the object doesn't exist. Throws ApiError `conflict` when it was never published and
 * should be archived.
 */
export async function archiveObject(
  deps: DraftDeps,
  restaurantGuid: string,
  place: ObjectPlace,
  archived: boolean,
  origin: ChangeOrigin,
): Promise<ObjectView | null> {
  return await edit(deps, restaurantGuid, origin, async (desk) => {
    const view = await findView(desk.sql, restaurantGuid, place);
    if (!view) return null;
    if (archived && !view.published) throw neverPublished();
    return await save(desk, view, { ...objectOf(view), archived });
  });
}

/** There always is one tip withholding (CFG-11). */
export async function setTipWithholding(
  deps: DraftDeps,
  restaurantGuid: string,
  fields: { readonly enabled: boolean; readonly percentage: number },
  origin: ChangeOrigin,
): Promise<ObjectView> {
  return await edit(deps, restaurantGuid, origin, async (desk) => {
    const view = await findTipWithholding(desk.sql, restaurantGuid);
    const { enabled, percentage } = fields;
    const object = { ...objectOf(view), fields: { enabled, percentage }, archived: false };
    return await save(desk, isStored(view) ? view : { published: null, draft: null }, object);
  });
}

/** Null when the object doesn't exist. Throws ApiError `conflict` when it has no draft. */
export async function discardObject(
  deps: DraftDeps,
  restaurantGuid: string,
  place: ObjectPlace,
  origin: ChangeOrigin,
): Promise<{ readonly view: ObjectView; readonly discarded: DraftRow } | null> {
  return await edit(deps, restaurantGuid, origin, async (desk) => {
    const view = await findView(desk.sql, restaurantGuid, place);
    if (!view) return null;
    const { published, draft } = view;
    if (!draft) throw noDraft();
    await deleteDrafts(desk.sql, restaurantGuid, [place]);
    await record(desk, draft.object, published, place);
    return { view: { published, draft: null }, discarded: draft };
  });
}

/** Throws ApiError `conflict` when a named object has no draft. */
export async function discardDrafts(
  deps: DraftDeps,
  restaurantGuid: string,
  named: readonly ObjectPlace[] | null,
  origin: ChangeOrigin,
): Promise<number> {
  return await edit(deps, restaurantGuid, origin, async (desk) => {
    const all = await listDrafts(desk.sql, restaurantGuid);
    const wanted = named && new Set(named.map(placeKey));
    const drafts = all.filter(({ object }) => !wanted || wanted.has(placeKey(placeOf(object))));
    if (wanted && drafts.length < wanted.size) throw noDraft();
    if (drafts.length === 0) return 0;
    const places = drafts.map(({ object }) => placeOf(object));
    await deleteDrafts(desk.sql, restaurantGuid, places);
    await insertEntry(desk.sql, origin, {
      ...belonging(desk.restaurant),
      subject: { kind: 'configurationDraft', id: restaurantGuid },
      before: { objects: drafts.map(({ object }) => described(object)) },
      after: null,
    });
    return drafts.length;
  });
}

export async function findView(
  sql: Sql,
  restaurantGuid: string,
  place: ObjectPlace,
): Promise<ObjectView | null> {
  const [stored] = await listSelectedObjects(sql, restaurantGuid, {
    collections: [place.collection],
    guids: [place.guid],
  });
  const draft = await findDraft(sql, restaurantGuid, place);
  if (!stored && !draft) return null;
  return { published: stored ? contentsOf(stored) : null, draft };
}

/** Without a stored one, gives one that withholds nothing. */
export async function findTipWithholding(sql: Sql, restaurantGuid: string): Promise<ObjectView> {
  const collections = ['tipWithholding'] as const;
  const stored = await listSelectedObjects(sql, restaurantGuid, { collections, guids: null });
  const published = stored.map(contentsOf).find(({ archived }) => !archived) ?? null;
  const drafts = await listDrafts(sql, restaurantGuid, collections);
  const draft = drafts[0] ?? null;
  if (published || draft) return { published, draft };
  const known = stored.map(contentsOf)[0];
  return { published: known ?? unsetTipWithholding(restaurantGuid), draft: null };
}

function unsetTipWithholding(restaurantGuid: string): ObjectContents {
  return {
    kind: 'tipWithholding',
    guid: tipWithholdingGuid(restaurantGuid),
    multiLocationId: null,
    externalId: null,
    fields: { enabled: false, percentage: 0 },
    archived: false,
    modifiedMs: null,
  };
}

function isStored({ published, draft }: ObjectView): boolean {
  return draft !== null || published?.modifiedMs !== null;
}

export function objectOf({ published, draft }: ObjectView): ObjectContents {
  const object = draft?.object ?? published;
  if (!object) throw new Error('an object is neither published nor drafted');
  return object;
}

async function edit<Result>(
  deps: DraftDeps,
  restaurantGuid: string,
  origin: ChangeOrigin,
  work: (desk: Desk) => Promise<Result>,
): Promise<Result> {
  return await deps.database.transaction(async (sql) => {
    // The lock makes edits and publications wait for each other, so that no edit starts from an
    // outdated object.
    const [restaurant] = await listRestaurantsLocked(sql, [restaurantGuid]);
    if (!restaurant) throw new Error('the restaurant of an edit does not exist');
    return await work({ sql, restaurant, origin });
  });
}

async function save(desk: Desk, view: ObjectView, object: ObjectContents): Promise<ObjectView> {
  const place = placeOf(object);
  if (LINKED.includes(object.kind)) await saveLinked(desk, view, object);
  else await store(desk, [{ view, object }]);
  const saved = await findView(desk.sql, desk.restaurant.guid, place);
  return saved ?? { published: view.published, draft: view.draft };
}

interface Edit {
  readonly view: ObjectView;
  readonly object: ObjectContents;
}

/** Menus and groups name each other. When one side changes, the other follows. */
async function saveLinked(desk: Desk, view: ObjectView, object: ObjectContents): Promise<void> {
  const { sql, restaurant } = desk;
  const selection = { collections: LINKED, guids: null };
  const stored = await listSelectedObjects(sql, restaurant.guid, selection);
  const published = byPlaceKey(stored.map(contentsOf));
  const rows = await listDrafts(sql, restaurant.guid, LINKED);
  const drafts = new Map(rows.map((row) => [placeKey(placeOf(row.object)), row]));
  const before = view.draft?.object ?? view.published;
  const all = overlaid({ published, drafts: rows });
  const followed = byPlaceKey(followLinks(all, before, object));
  const edits = new Map([[placeKey(placeOf(object)), object], ...followed]);
  const list = [...edits].map(([key, edited]) => ({
    view: { published: published.get(key) ?? null, draft: drafts.get(key) ?? null },
    object: edited,
  }));
  await store(desk, list);
}

async function store({ sql, restaurant, origin }: Desk, edits: readonly Edit[]): Promise<void> {
  const changed = edits.filter(
    ({ view, object }) => !isSameState(object, view.draft?.object ?? view.published),
  );
  const ended = changed.filter(
    ({ view, object }) => view.draft && isSameState(object, view.published),
  );
  const kept = changed.filter(({ view, object }) => !isSameState(object, view.published));
  const places = ended.map(({ object }) => placeOf(object));
  if (places.length > 0) await deleteDrafts(sql, restaurant.guid, places);
  const drafts = kept.map(({ view, object }) => ({
    object,
    revision: newGuid(),
    baseDigest: view.draft ? view.draft.status.baseDigest : baseDigestOf(view.published),
  }));
  if (drafts.length > 0) await updateDrafts(sql, restaurant.guid, drafts, origin.by, origin.at);
  for (const { view, object } of changed) {
    const before = view.draft?.object ?? view.published;
    await record({ sql, restaurant, origin }, before, object, placeOf(object));
  }
}

async function record(
  { sql, restaurant, origin }: Desk,
  before: ObjectContents | null,
  after: ObjectContents | null,
  place: ObjectPlace,
): Promise<void> {
  await insertEntry(sql, origin, {
    ...belonging(restaurant),
    subject: { kind: 'configurationDraft', id: placeKey(place) },
    before: before && described(before),
    after: after && described(after),
  });
}

function belonging({ guid, managementGroupGuid }: RestaurantHead) {
  return { restaurantGuid: guid, managementGroupGuid };
}

function described(object: ObjectContents): Readonly<Record<string, unknown>> {
  return { collection: object.kind, archived: object.archived, ...documentOf(object) };
}

function existsAlready({ collection, guid }: ObjectPlace): ApiError {
  const message = `${collection} has an object ${guid} already: edit it, or leave guid out.`;
  return new ApiError('conflict', message);
}

function neverPublished(): ApiError {
  return new ApiError(
    'conflict',
    'The object was never published, so no partner sees it: discard its draft instead.',
  );
}

function noDraft(): ApiError {
  return new ApiError(
    'conflict',
    'There is no draft to discard: it may have been published or discarded just now. The list of ' +
      'drafts says which there are.',
  );
}
