import { type RestaurantInfo, schemas } from '@servery/contract';
import { newGuid, parseGuid } from '@servery/support/ids.ts';
import { shapeChecker } from '../../../document/check-shape.ts';
import {
  type DocumentFault,
  type DocumentPath,
  FaultList,
  KEPT_FAULTS_OF_EDITS,
  Place,
  pathText,
} from '../../../document/faults.ts';
import { isJsonObject } from '../../../http/json-object.ts';
import { mergePatch } from '../../../http/merge-patch.ts';
import { arranger } from '../../../http/pipeline/arrange.ts';
import { checkRestaurantInfo } from '../../document/check-info.ts';
import { restaurantSchema } from '../../document/info-schema.ts';
import type { CurrentRestaurant } from '../../manage-restaurants.ts';
import { checkSameArchived, checkSameGuid, requireVersion } from '../same.ts';
import {
  openDocument,
  readNewGuid,
  readVersion,
  refuseFaults,
  type SentDocument,
} from './sent-document.ts';

const checkShape = shapeChecker(restaurantSchema, KEPT_FAULTS_OF_EDITS);
const arrange = arranger(schemas.RestaurantInfo);
const archivedPath = ['general', 'archived'];

/** Throws ApiError `badRequest` when a field is missing, else `unprocessable`, with all faults. */
export function readNewRestaurant(body: unknown): RestaurantInfo {
  const faults = new FaultList();
  const sent = openDocument(body, faults);
  const guid = readNewGuid(sent, faults) ?? newGuid();
  const document = mergePatch({}, sent.fields);
  if (sentArchived(sent) === true) {
    faults.add(archivedPath, 'is false for a new restaurant; archive it when it is made');
  }
  const info = read(document, guid, faults);
  refuseFaults(faults, (path) => path[0] !== 'guid' && valueAt(document, path) === undefined);
  return info;
}

/**
 * A JSON merge patch (RFC 7396). Throws ApiError `unprocessable` unless the body is an object. The
 * returned function throws `conflict` for another version, and `unprocessable` with all new faults.
 */
export function readRestaurantEdit(body: unknown): (current: CurrentRestaurant) => RestaurantInfo {
  openDocument(body, new FaultList());
  return ({ info, version }) => {
    const faults = new FaultList();
    const sent = openDocument(body, faults);
    requireVersion(readVersion(sent, faults), version);
    const { guid, ...before } = info;
    checkSameGuid(sent.guid, guid, faults);
    checkSameArchived(sentArchived(sent), info.general.archived, archivedPath, faults);
    const merged = mergePatch(before, sent.fields);
    const found = new FaultList();
    const after = read(merged, guid, found);
    for (const { path, message } of newFaults(found, before, merged)) faults.add(path, message);
    refuseFaults(faults);
    return after;
  };
}

/** Ignores unchanged faults, which come from newer rules: they must not block other edits. */
function newFaults(found: FaultList, before: object, merged: unknown): readonly DocumentFault[] {
  if (found.count === 0) return [];
  const known = new FaultList();
  read(before, '', known);
  const textAt = (document: unknown, path: DocumentPath) => JSON.stringify(valueAt(document, path));
  return found.kept.filter(({ path, message }) => {
    const wasThere = known.kept.some(
      (fault) => fault.message === message && pathText(fault.path) === pathText(path),
    );
    return !wasThere || textAt(before, path) !== textAt(merged, path);
  });
}

function sentArchived({ fields: { general } }: SentDocument): unknown {
  return isJsonObject(general) ? general.archived : undefined;
}

function read(document: unknown, guid: string, faults: FaultList): RestaurantInfo {
  const broken = checkShape(document, faults);
  const { general, ...sections } = arrange({ ...(document as object), guid }) as RestaurantInfo;
  const managementGroupGuid = parseGuid(String(general.managementGroupGuid)) ?? '';
  const info = { ...sections, general: { ...general, managementGroupGuid } };
  checkRestaurantInfo(info, new Place(faults, []), ({ path }) => broken.isSound(path));
  return arrange(info) as RestaurantInfo;
}

function valueAt(document: unknown, path: DocumentPath): unknown {
  return path.reduce(
    (value: unknown, step) =>
      typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined,
    document,
  );
}
