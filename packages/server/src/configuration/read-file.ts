import { configurationObjectsAtMost } from '@servery/contract';
import { parseGuid } from '@servery/support/ids.ts';
import { shapeChecker } from '../document/check-shape.ts';
import { FaultList, Place, pathText } from '../document/faults.ts';
import { checkTexts } from '../document/text-check.ts';
import { ApiError, type Fault } from '../http/errors.ts';
import { knownFaults, newFaults } from './check-configuration.ts';
import { cardNumberChecker } from './document/card-number-check.ts';
import type { ObjectChange } from './document/contents.ts';
import type { DocumentConfiguration } from './document/document.ts';
import { type ConfigurationFile, configurationDocumentSchema } from './document/file-schema.ts';
import { readObjects } from './document/read-objects.ts';
import type { ObjectsByPlace } from './effective.ts';
import { MergedFile } from './merged-file.ts';
import { byPlaceKey } from './object-state.ts';
import type { RestaurantHead } from './publication-store.ts';

export interface ReadFile {
  readonly changes: readonly ObjectChange[];
  readonly givenGuids: ReadonlyMap<string, string>;
}

const checkShape = shapeChecker(configurationDocumentSchema);
const checkCardNumbers = cardNumberChecker(configurationDocumentSchema);

const SHOWN_FAULTS = 50;

export function readFile(
  restaurant: RestaurantHead,
  published: ObjectsByPlace,
  value: unknown,
): ReadFile {
  const faults = new FaultList();
  checkTexts(value, faults);
  checkCardNumbers(value, faults);
  refuse(faults);
  checkShape(value, faults);
  // Rules need lists of objects, which a broken shape doesn't guarantee.
  refuse(faults);
  const file = value as ConfigurationFile;
  refuseOtherRestaurant(restaurant, file, faults);
  refuseTooMany(file.configuration, 0);
  const merging = new MergedFile(restaurant.guid, published, file);
  refuseTooMany(merging.configuration, published.size);
  const read = readObjects(merging.configuration, {
    restaurantGuid: restaurant.guid,
    currencyCode: restaurant.currencyCode,
    place: new Place(faults, ['configuration']),
    taken: new Set(),
    isSound: () => true,
    nameObject: (collection, index) => merging.nameAt(collection, index),
  });
  if (faults.count > 0) {
    const known = knownFaults(restaurant, published);
    refuse(faults, merging, known);
  }
  const objects = byPlaceKey(read.objects);
  return {
    changes: [...merging.changesOf(objects), ...merging.archived],
    givenGuids: merging.givenGuids,
  };
}

/** Allows as many as there were before: that is not the document's fault. */
function refuseTooMany(configuration: DocumentConfiguration, before: number): void {
  const lists = Object.values(configuration).filter((list) => Array.isArray(list));
  const count = lists.reduce((sum, list) => sum + list.length, 0);
  if (count <= Math.max(configurationObjectsAtMost, before)) return;
  const message =
    `would make ${count} objects, with all that were ever published here; ` +
    `a restaurant can have at most ${configurationObjectsAtMost}`;
  throw new ApiError(
    'unprocessable',
    `The document cannot be applied: configuration: ${message}.`,
    {
      faults: [{ where: 'configuration', message }],
    },
  );
}

function refuseOtherRestaurant(
  { guid, name }: RestaurantHead,
  { restaurant }: ConfigurationFile,
  faults: FaultList,
): void {
  const given = restaurant?.guid;
  if (given === undefined || parseGuid(given) === guid) return;
  const message = `is not ${guid}, "${name}"; leave restaurant out to apply the document anywhere`;
  faults.add(['restaurant', 'guid'], message);
}

function refuse(
  faults: FaultList,
  merging?: MergedFile,
  known: ReadonlySet<string> = new Set(),
): void {
  const { found, count } = newFaults(
    faults.kept,
    faults.count,
    (fault) => merging?.isKnown(fault, known) ?? false,
  );
  if (count === 0) return;
  const told: Fault[] = found.slice(0, SHOWN_FAULTS).map(({ path, message }) => ({
    where: merging ? merging.pathOf(path) : pathText(path),
    message,
  }));
  const shown = told
    .slice(0, 3)
    .map(({ where, message }) => `${where || 'the document'}: ${message}`);
  const rest = count > shown.length ? `; and ${count - shown.length} more` : '';
  throw new ApiError(
    'unprocessable',
    `The document cannot be applied: ${shown.join('; ')}${rest}.`,
    { faults: told },
  );
}
