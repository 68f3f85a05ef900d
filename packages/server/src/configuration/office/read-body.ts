import { configurationObjectsAtMost } from '@servery/contract';
import { parseGuid } from '@servery/support/ids.ts';
import { readKnownFields, readOptionalWords } from '../../http/body-fields.ts';
import { ApiError } from '../../http/errors.ts';
import { type Fields, isJsonObject } from '../../http/fields.ts';
import type { ApplyOrder } from '../apply-file.ts';
import { isObjectKind, type ObjectPlace, placeKey } from '../object-state.ts';
import type { PublishPart } from '../publish.ts';

/** How long a note in the history may be, in characters. */
const NOTE_LENGTH = 1_000;

/** Of a list in which nothing is right, more than this helps nobody. */
const FAULTY_TOLD = 20;
const PLACE: readonly string[] = ['collection', 'guid'];

/** Which drafts are to go; null for all of them. */
export function readDiscard(body: unknown): readonly ObjectPlace[] | null {
  return readKnownFields(body, (fields) => {
    const isAll = fields.lacks('all') ? false : fields.flag('all');
    const objects = readPlaces(fields, fields.value('objects'), 'objects');
    if (isAll && objects !== null) fields.fault('objects', 'must be left out when all is true');
    // Somebody who forgot the list must not lose every draft.
    if (!isAll && objects === null) fields.flag('all');
    if (!isAll && objects === null && fields.value('all') === false) {
      fields.fault('all', 'must be true, or objects must name the drafts that go');
    }
    return isAll ? null : (objects ?? []);
  });
}

/** What is to be published, and what to write about it. */
export function readPublish(
  restaurantGuid: string,
  body: unknown,
): { readonly part: PublishPart; readonly note: string | null } {
  return readKnownFields(body, (fields) => ({
    part: {
      restaurantGuid,
      objects: readPlaces(fields, fields.value('objects'), 'objects'),
      expectedState: fields.optionalText('expectedState'),
    },
    note: readNote(fields),
  }));
}

/** Which restaurants of a group are to be published; `reached` are those that may be named. */
export function readGroupPublish(
  reached: ReadonlySet<string>,
  body: unknown,
): { readonly parts: readonly PublishPart[]; readonly note: string | null } {
  return readKnownFields(body, (fields) => {
    const note = readNote(fields);
    if (fields.lacks('restaurants')) {
      fields.textOrObject('restaurants');
      return { parts: [], note };
    }
    const sent = fields.value('restaurants');
    const list = Array.isArray(sent) && sent.length <= 1_000 ? sent : [];
    if (list.length === 0) {
      fields.fault('restaurants', 'must be a list of 1 to 1,000 restaurants');
    }
    const seen = new Set<string>();
    const parts = list.map((value: unknown, index): PublishPart => {
      const where = `restaurants[${index}]`;
      const part = isJsonObject(value) ? value : {};
      refuseOthers(fields, part, where, ['restaurantGuid', 'objects', 'expectedState']);
      const guid = parseGuid(String(part.restaurantGuid ?? ''));
      if (guid === null || !reached.has(guid)) {
        const message = 'names no restaurant of this group within your reach';
        fields.fault(`${where}.restaurantGuid`, message);
      } else if (seen.has(guid)) fields.fault(`${where}.restaurantGuid`, 'is named twice');
      seen.add(guid ?? '');
      const { expectedState = null } = part;
      if (expectedState !== null && typeof expectedState !== 'string') {
        fields.fault(`${where}.expectedState`, 'must be a string');
      }
      return {
        restaurantGuid: guid ?? '',
        objects: readPlaces(fields, part.objects, `${where}.objects`),
        expectedState: expectedState as string | null,
      };
    });
    return { parts, note };
  });
}

/** From where to roll back, and what to write about it. */
export function readRollBack(body: unknown): {
  readonly expectedNumber: number | null;
  readonly note: string | null;
} {
  return readKnownFields(body, (fields) => {
    const expectedNumber = fields.value('expectedNumber') ?? null;
    if (expectedNumber !== null && !Number.isSafeInteger(expectedNumber)) {
      fields.fault('expectedNumber', 'must be a whole number');
    }
    return { expectedNumber: expectedNumber as number | null, note: readNote(fields) };
  });
}

/** Looks whether there is a document to plan; its own faults are told with their paths later. */
export function readPlan(body: unknown): void {
  readKnownFields(body, (fields) => fields.object('document'));
}

/** Looks whether there is a document to be applied; gives what is said beside it. */
export function readApply(body: unknown): ApplyOrder {
  return readKnownFields(body, (fields) => {
    fields.object('document');
    return readApplyOrder(fields);
  });
}

function readApplyOrder(fields: Fields): ApplyOrder {
  return {
    expectedState: fields.optionalText('expectedState'),
    note: readNote(fields),
  };
}

/** What the tip withholding is to be. */
export function readTips(body: unknown): {
  readonly enabled: boolean;
  readonly percentage: number;
} {
  return readKnownFields(body, (fields) => {
    const enabled = fields.flag('enabled');
    const percentage = fields.number('percentage') ?? 0;
    if (percentage < 0 || percentage > 1) {
      fields.fault('percentage', 'must be a fraction from 0 to 1: write 0.03 for three percent');
    }
    return { enabled, percentage };
  });
}

/** The objects of the query parameter; null when it was not sent. Throws ApiError `badRequest`. */
export function readObjectsParameter(text: string | undefined): readonly ObjectPlace[] | null {
  if (text === undefined) return null;
  return text.split(',').map((part) => {
    const [collection = '', name = '', ...more] = part.trim().split('/');
    const guid = parseGuid(name);
    if (guid !== null && more.length === 0 && isObjectKind(collection)) return { collection, guid };
    throw new ApiError(
      'badRequest',
      'objects must be a list such as menuItems/<GUID>,menus/<GUID>: a collection and a GUID each.',
    );
  });
}

function readNote(fields: Fields): string | null {
  return readOptionalWords(fields, 'note', NOTE_LENGTH) ?? null;
}

function readPlaces(fields: Fields, value: unknown, where: string): readonly ObjectPlace[] | null {
  if (value === undefined || value === null) return null;
  if (!Array.isArray(value) || value.length === 0) {
    fields.fault(where, 'must be a list of objects, each with collection and guid');
    return [];
  }
  if (value.length > configurationObjectsAtMost) {
    fields.fault(where, `must be a list of at most ${configurationObjectsAtMost} objects`);
    return [];
  }
  let faulty = 0;
  const places = value.flatMap((entry: unknown, index): ObjectPlace[] => {
    if (faulty === FAULTY_TOLD) return [];
    const place = isJsonObject(entry) ? entry : {};
    const { collection, guid: text } = place;
    const guid = typeof text === 'string' ? parseGuid(text) : null;
    const isKnown = typeof collection === 'string' && isObjectKind(collection);
    if (!isKnown) fields.fault(`${where}[${index}].collection`, 'must name a collection');
    if (guid === null) fields.fault(`${where}[${index}].guid`, 'must be a GUID');
    if (isKnown && guid !== null && hasOnly(place, PLACE)) return [{ collection, guid }];
    refuseOthers(fields, place, `${where}[${index}]`, PLACE);
    faulty += 1;
    return [];
  });
  return [...new Map(places.map((place) => [placeKey(place), place])).values()];
}

/** Of an object in a list; what the others are called is not repeated. */
function refuseOthers(
  fields: Fields,
  object: Readonly<Record<string, unknown>>,
  where: string,
  known: readonly string[],
): void {
  if (hasOnly(object, known)) return;
  fields.fault(where, `has a field that is none of ${known.join(', ')}; remove it`);
}

function hasOnly(object: Readonly<Record<string, unknown>>, known: readonly string[]): boolean {
  return Object.keys(object).every((name) => known.includes(name));
}
