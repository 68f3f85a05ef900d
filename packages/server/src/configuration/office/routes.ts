import { isCollectionName } from '@servery/contract';
import type { Clock } from '@servery/support/clock.ts';
import { parseGuid } from '@servery/support/ids.ts';
import type { Vault } from '@servery/support/secret.ts';
import { originOf } from '../../audit/origin.ts';
import type { Database } from '../../database/database.ts';
import { ApiError } from '../../http/errors.ts';
import { isJsonObject } from '../../http/fields.ts';
import type {
  Answer,
  BackOfficeRequest,
  BackOfficeRestaurantRequest,
  OperationHandlers,
} from '../../http/operation.ts';
import { readFlagFilter } from '../../http/read-query.ts';
import { type Reach, reachesRestaurant } from '../../reach/reach.ts';
import { applyFile, planFile } from '../apply-file.ts';
import type { DocumentObject } from '../document/document.ts';
import {
  archiveObject,
  createObject,
  discardDrafts,
  discardObject,
  findTipWithholding,
  findView,
  type ObjectView,
  setTipWithholding,
  updateObject,
} from '../edit-drafts.ts';
import { readDrafts } from '../effective.ts';
import type { Examiner } from '../examination/examiner.ts';
import { exportFile } from '../export-file.ts';
import { previewDrafts } from '../preview.ts';
import { findRestaurantHead, listReachedGuids } from '../publication-store.ts';
import { publish, publishTogether } from '../publish.ts';
import { rollBack } from '../roll-back.ts';
import { lettingInAgain } from './let-in-again.ts';
import { draftOnWire, objectOnWire, publicationOnWire } from './present.ts';
import { noSuchPublication, publicationNumber } from './publication-number.ts';
import {
  readApply,
  readDiscard,
  readGroupPublish,
  readObjectsParameter,
  readPlan,
  readPublish,
  readRollBack,
  readTips,
} from './read-body.ts';
import { listHandlers } from './read-lists.ts';

/** What drafts, publications and configuration documents lean on. */
export interface DraftRouteDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly realClock: Clock;
  /** Authenticates page tokens. */
  readonly vault: Vault;
  readonly examiner: Examiner;
}

type OnObject = 'list' | 'create' | 'get' | 'update' | 'archive' | 'unarchive' | 'discard';
type OnDraft = 'get' | 'discard' | 'preview';
type OnPublication = 'list' | 'publish' | 'get' | 'rollBack';
type DraftOperationId =
  | `backOffice.configuration.objects.${OnObject}`
  | `backOffice.configuration.tipWithholding.${'get' | 'set'}`
  | `backOffice.configuration.draft.${OnDraft}`
  | `backOffice.configuration.publications.${OnPublication}`
  | `backOffice.configuration.${'plan' | 'apply' | 'export' | 'publishGroup'}`;

/** The operations of the back office on configuration as drafts and publications. */
export function draftHandlers(deps: DraftRouteDeps): Pick<OperationHandlers, DraftOperationId> {
  return {
    ...objectHandlers(deps),
    ...draftListHandlers(deps),
    ...publicationHandlers(deps),
    ...fileHandlers(deps),
    ...listHandlers(deps),
  };
}

function objectHandlers(deps: DraftRouteDeps) {
  const { sql } = deps.database;
  const archive = async (request: BackOfficeRestaurantRequest, archived: boolean) => {
    const { restaurant } = request;
    const place = placeIn(request);
    return shown(await archiveObject(deps, restaurant.guid, place, archived, from(deps, request)));
  };
  return {
    'backOffice.configuration.objects.create': async (request: BackOfficeRestaurantRequest) => {
      const { restaurant, params, body } = request;
      const collection = params.collection ?? '';
      if (!isCollectionName(collection)) throw noSuchObject();
      const object = objectIn(body);
      return shown(
        await createObject(deps, restaurant.guid, collection, object, from(deps, request)),
      );
    },
    'backOffice.configuration.objects.get': async (request: BackOfficeRestaurantRequest) =>
      shown(await findView(sql, request.restaurant.guid, placeIn(request))),
    'backOffice.configuration.objects.update': async (request: BackOfficeRestaurantRequest) => {
      const { restaurant, body } = request;
      const place = placeIn(request);
      const patch = objectIn(body);
      return shown(await updateObject(deps, restaurant.guid, place, patch, from(deps, request)));
    },
    'backOffice.configuration.objects.archive': (request: BackOfficeRestaurantRequest) =>
      archive(request, true),
    'backOffice.configuration.objects.unarchive': (request: BackOfficeRestaurantRequest) =>
      archive(request, false),
    'backOffice.configuration.objects.discard': async (request: BackOfficeRestaurantRequest) => {
      const place = placeIn(request);
      const origin = from(deps, request);
      const done = await discardObject(deps, request.restaurant.guid, place, origin);
      if (!done) throw noSuchObject();
      // An object that never was published is shown a last time, without a draft.
      const last = { ...done.discarded.object, modifiedMs: null };
      return shown(done.view.published ? done.view : { published: last, draft: null });
    },
    'backOffice.configuration.tipWithholding.get': async (request: BackOfficeRestaurantRequest) =>
      shown(await findTipWithholding(sql, request.restaurant.guid)),
    'backOffice.configuration.tipWithholding.set': async (request: BackOfficeRestaurantRequest) => {
      const fields = readTips(request.body);
      const { guid } = request.restaurant;
      return shown(await setTipWithholding(deps, guid, fields, from(deps, request)));
    },
  };
}

function draftListHandlers(deps: DraftRouteDeps) {
  const show = async (restaurantGuid: string): Promise<Answer> => {
    const { head, drafted } = await deps.database.transaction(
      async (sql) => ({
        head: await findRestaurantHead(sql, restaurantGuid),
        drafted: await readDrafts(sql, restaurantGuid),
      }),
      { isolation: 'repeatable read', readOnly: true },
    );
    if (!head) throw new Error('the restaurant of drafts does not exist');
    return { json: draftOnWire(head, drafted) };
  };
  return {
    'backOffice.configuration.draft.get': ({ restaurant }: BackOfficeRestaurantRequest) =>
      show(restaurant.guid),
    'backOffice.configuration.draft.discard': async (request: BackOfficeRestaurantRequest) => {
      const named = readDiscard(request.body);
      await discardDrafts(deps, request.restaurant.guid, named, from(deps, request));
      return await show(request.restaurant.guid);
    },
    'backOffice.configuration.draft.preview': async (request: BackOfficeRestaurantRequest) => {
      const named = readObjectsParameter(request.query.objects);
      return {
        json: await previewDrafts(forRestaurant(deps, request), request.restaurant.guid, named),
      };
    },
  };
}

function publicationHandlers(deps: DraftRouteDeps) {
  return {
    'backOffice.configuration.publications.publish': async (
      request: BackOfficeRestaurantRequest,
    ) => {
      const { part, note } = readPublish(request.restaurant.guid, request.body);
      const row = await publish(forRestaurant(deps, request), part, note, from(deps, request));
      return { json: publicationOnWire(row) };
    },
    'backOffice.configuration.publications.rollBack': async (
      request: BackOfficeRestaurantRequest,
    ) => {
      const number = publicationNumber(request);
      const order = { restaurantGuid: request.restaurant.guid, number };
      const said = readRollBack(request.body);
      const full = { ...order, ...said };
      const row = await rollBack(forRestaurant(deps, request), full, from(deps, request));
      if (!row) throw noSuchPublication();
      return { json: publicationOnWire(row) };
    },
    'backOffice.configuration.publishGroup': async (request: BackOfficeRequest) => {
      const group = parseGuid(request.params.managementGroupGuid ?? '');
      const { sql } = deps.database;
      const reached = group === null ? [] : await listReachedGuids(sql, group, request.reach);
      if (group === null || reached.length === 0) throw noSuchGroup();
      const { parts, note } = readGroupPublish(new Set(reached), request.body);
      const isReached = (reach: Reach) =>
        parts.every(({ restaurantGuid: guid }) =>
          reachesRestaurant(reach, { guid, managementGroupGuid: group }),
        );
      const examiner = lettingInAgain(deps.examiner, request, isReached);
      const origin = from(deps, request);
      const { guid, publications } = await publishTogether(
        { ...deps, examiner },
        parts,
        note,
        origin,
      );
      const written = publications.map(publicationOnWire);
      return { json: { guid, managementGroupGuid: group, publications: written } };
    },
  };
}

function fileHandlers(deps: DraftRouteDeps) {
  return {
    'backOffice.configuration.plan': async (request: BackOfficeRestaurantRequest) => ({
      json: await planFile(forRestaurant(deps, request), sentIn(request), readPlan),
    }),
    'backOffice.configuration.apply': async (request: BackOfficeRestaurantRequest) => {
      const origin = from(deps, request);
      const own = forRestaurant(deps, request);
      const { plan, publication } = await applyFile(own, sentIn(request), readApply, origin);
      return { json: { plan, publication: publication && publicationOnWire(publication) } };
    },
    'backOffice.configuration.export': async (request: BackOfficeRestaurantRequest) => {
      const { references = 'guid', archived } = request.query;
      if (references !== 'guid' && references !== 'name') {
        throw new ApiError('badRequest', 'references must be guid or name.');
      }
      const options = {
        byName: references === 'name',
        withArchived: readFlagFilter('archived', archived) ?? false,
      };
      return {
        bytes: await exportFile(forRestaurant(deps, request), request.restaurant.guid, options),
      };
    },
  };
}

/** With an examiner that lets the request in to its restaurant anew. */
function forRestaurant(deps: DraftRouteDeps, request: BackOfficeRestaurantRequest): DraftRouteDeps {
  const isReached = (reach: Reach) => reachesRestaurant(reach, request.restaurant);
  return { ...deps, examiner: lettingInAgain(deps.examiner, request, isReached) };
}

function from(deps: DraftRouteDeps, request: BackOfficeRequest) {
  return originOf(request, deps.realClock);
}

function sentIn({ restaurant, body }: BackOfficeRestaurantRequest) {
  return { restaurantGuid: restaurant.guid, body: String(body) };
}

function placeIn({ params }: BackOfficeRequest) {
  const { collection = '' } = params;
  const guid = parseGuid(params.guid ?? '');
  if (guid === null || !isCollectionName(collection)) throw noSuchObject();
  return { collection, guid };
}

function objectIn(body: unknown): DocumentObject {
  if (isJsonObject(body)) return body as DocumentObject;
  throw new ApiError('unprocessable', 'The body must be a JSON object: send fields of the object.');
}

function shown(view: ObjectView | null): Answer {
  if (!view) throw noSuchObject();
  return { json: objectOnWire(view) };
}

function noSuchObject(): ApiError {
  return new ApiError(
    'notFound',
    'There is no such object of the restaurant, published or drafted: check the path.',
  );
}

function noSuchGroup(): ApiError {
  return new ApiError('notFound', 'There is no such group within your reach: check the path.');
}
