import type { CreateRestaurant, EditRestaurant, Operation } from '@servery/contract';
import { newGuid } from '@servery/support/ids.ts';
import { shapeChecker } from '../../../document/check-shape.ts';
import {
  type DocumentFault,
  type DocumentPath,
  FaultList,
  KEPT_FAULTS_OF_EDITS,
  Place,
  pathText,
} from '../../../document/faults.ts';
import { checkTexts } from '../../../document/text-check.ts';
import { Faults } from '../../../http/faults.ts';
import { isJsonObject } from '../../../http/json-object.ts';
import { mergePatch } from '../../../http/merge-patch.ts';
import { removeCardNumbers } from '../../../text/card-number-removal.ts';
import { checkRestaurantInfo } from '../../document/check-info.ts';
import {
  arrangeSettings,
  type RestaurantSettings,
  restaurantSchema,
} from '../../document/info-schema.ts';
import type { CurrentRestaurant } from '../../manage-restaurants.ts';
import { checkSameArchived, checkSameGuid, requireVersion } from '../same.ts';

const checkShape = shapeChecker(restaurantSchema, KEPT_FAULTS_OF_EDITS);
const archivedPath = ['general', 'archived'];

/**
 * `faults` are those of the body so far. Throws ApiError `badRequest` when a field is missing, else
 * `unprocessable`, with all faults.
 */
export function readNewRestaurant(body: CreateRestaurant, faults: Faults): RestaurantSettings {
  if (!isJsonObject(body)) faults.refuse();
  checkTexts(body, faults);
  if (sentArchived(body) === true) {
    faults.add(archivedPath, 'is false for a new restaurant; archive it once it is created');
  }
  const found = new FaultList();
  const document = mergePatch({}, fieldsOf(body));
  const info = read(document, body.guid ?? newGuid(), found);
  for (const { path, message } of furtherFaults(found.kept, faults)) {
    if (valueAt(document, path) === undefined) faults.addMissing(path, message);
    else faults.add(path, message);
  }
  faults.refuse();
  return info;
}

/**
 * A JSON merge patch (RFC 7396). The returned function throws `conflict` for another version, and
 * `unprocessable` with all new faults.
 */
export function readRestaurantEdit({
  body,
  operation,
  faults: sent,
}: {
  readonly body: EditRestaurant;
  readonly operation: Operation;
  readonly faults: Faults;
}): (current: CurrentRestaurant) => RestaurantSettings {
  if (!isJsonObject(body)) sent.refuse();
  return ({ info, version }) => {
    // A transaction that is tried again calls this again.
    const faults = new Faults(operation);
    faults.addAll(sent);
    if (faults.isSound(['version'])) requireVersion(body.version, version);
    checkTexts(body, faults);
    const { guid, ...before } = info;
    if (faults.isSound(['guid'])) checkSameGuid(body.guid, guid, faults);
    if (faults.isSound(archivedPath)) {
      checkSameArchived(sentArchived(body), info.general.archived, archivedPath, faults);
    }
    const merged = mergePatch(before, fieldsOf(body));
    const found = new FaultList();
    const after = read(merged, guid, found);
    for (const { path, message } of furtherFaults(newFaults(found, before, merged), faults)) {
      faults.add(path, message);
    }
    faults.refuse();
    return after;
  };
}

function sentArchived({ general }: CreateRestaurant | EditRestaurant): unknown {
  return isJsonObject(general) ? general.archived : undefined;
}

/** What the rules find where the contract's schema has found nothing. */
function furtherFaults(found: readonly DocumentFault[], faults: Faults): readonly DocumentFault[] {
  return found.filter(({ path }) => faults.isSound(path));
}

/** What is stored of a body. */
function fieldsOf(body: CreateRestaurant | EditRestaurant): unknown {
  const {
    guid: _guid,
    version: _version,
    publishNumber: _publishNumber,
    createdAt: _createdAt,
    modifiedAt: _modifiedAt,
    ...fields
  } = body;
  return withoutCardNumbers(fields);
}

/** No card number is stored (PAY-I7). The digits of a GUID may look like one. */
function withoutCardNumbers(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return /guid$/i.test(name) ? value : removeCardNumbers(value);
  if (Array.isArray(value)) return value.map((element) => withoutCardNumbers(element));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withoutCardNumbers(inner, key)]),
  );
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

function read(document: unknown, guid: string, faults: FaultList): RestaurantSettings {
  const broken = checkShape(document, faults);
  const info = arrangeSettings({ ...(document as object), guid });
  checkRestaurantInfo(info, new Place(faults, []), ({ path }) => broken.isSound(path));
  return arrangeSettings(info);
}

function valueAt(document: unknown, path: DocumentPath): unknown {
  return path.reduce(
    (value: unknown, step) =>
      typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined,
    document,
  );
}
