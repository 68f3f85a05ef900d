import { parseGuid } from '@servery/support/ids.ts';
import { cardNumberChecker } from '../configuration/document/card-number-check.ts';
import { Directory, nameOf } from '../configuration/document/directory.ts';
import { readObjects } from '../configuration/document/read-objects.ts';
import { shapeChecker } from '../document/check-shape.ts';
import { FaultList, Place } from '../document/faults.ts';
import { checkTexts } from '../document/text-check.ts';
import type { WantedConnection } from '../partners/write-store.ts';
import { checkRestaurantInfo, type RestaurantFields } from '../restaurants/document/check-info.ts';
import { arrangeSettings } from '../restaurants/document/info-schema.ts';
import { decimalQuantity } from '../stock/quantity.ts';
import type { StoredStock } from '../stock/write-store.ts';
import { instantOf } from '../text/instant.ts';
import type { ClientContents, GroupContents, RestaurantContents } from './contents.ts';
import type {
  DocumentClient,
  DocumentConnection,
  DocumentRestaurant,
  DocumentStock,
  GroupDocument,
} from './document.ts';
import { InvalidGroupDocument } from './faults.ts';
import {
  deriveClientId,
  deriveGroupGuid,
  derivePartnerGuid,
  deriveRestaurantGuid,
} from './identity.ts';
import { locateFaults } from './locate.ts';
import { parseDocument } from './parse.ts';
import { groupDocumentSchema } from './schema.ts';

/** Throws InvalidGroupDocument with every fault and its line and column. */
export function readGroupDocument(source: string | Uint8Array): GroupContents {
  const { text, value, propertyCount, hasLongNumber } = parseDocument(source);
  const faults = new FaultList();
  const hasRepeatedNames = checkTexts(value, faults) !== propertyCount;
  checkCardNumbers(value, faults);
  // Broken text gives no names or GUIDs.
  if (faults.count > 0) throw invalidDocument(text, faults);
  const contents = new Reading(value, faults).contents;
  // Walking the text is the slowest step, so do it only when something looks wrong.
  if (faults.count === 0 && !hasRepeatedNames && !hasLongNumber) return contents;
  const error = invalidDocument(text, faults);
  if (error.faultCount === 0) return contents;
  throw error;
}

export function invalidDocument(text: string, faults: FaultList): InvalidGroupDocument {
  const located = locateFaults(text, faults.kept);
  return new InvalidGroupDocument(located, Math.max(faults.count, located.length));
}

const checkShape = shapeChecker(groupDocumentSchema);
const checkCardNumbers = cardNumberChecker(groupDocumentSchema);

class Reading {
  readonly contents: GroupContents;
  readonly #place: Place;
  readonly #isSound: (place: Place) => boolean;
  readonly #taken = new Set<string>();

  constructor(value: unknown, faults: FaultList) {
    const broken = checkShape(value, faults);
    this.#place = new Place(faults, []);
    this.#isSound = (place) => broken.isSound(place.path);
    this.contents = this.#read((value ?? {}) as GroupDocument);
  }

  #read(document: GroupDocument): GroupContents {
    const { managementGroup } = document;
    const name = textOf(managementGroup?.name);
    const guid = parseGuid(textOf(managementGroup?.guid)) ?? deriveGroupGuid(name);
    const partners = this.#list(document.partners, 'partners', derivePartnerGuid, nameOf);
    const restaurants = this.#list(
      document.restaurants,
      'restaurants',
      (key) => deriveRestaurantGuid(guid, key),
      restaurantName,
    );
    const directories = { partners: partners.directory, restaurants: restaurants.directory };
    return {
      group: { guid, name },
      partners: partners.each(({ name: own }, partnerGuid) => ({ guid: partnerGuid, name: own })),
      clients: Array.isArray(document.clients)
        ? this.#readClients(document.clients, guid, partners.directory)
        : null,
      restaurants: restaurants.each((restaurant, restaurantGuid, place) =>
        this.#readRestaurant(restaurant, restaurantGuid, place),
      ),
      connections: this.#readConnections(document.connections, directories),
    };
  }

  #list<Thing>(
    things: readonly Thing[] | undefined,
    kind: string,
    deriveGuid: (key: string) => string,
    name: (thing: Readonly<Record<string, unknown>>) => string | null,
  ) {
    const list = Array.isArray(things) ? (things as readonly Thing[]) : [];
    const place = this.#place.at(kind);
    const rules = { kind, deriveGuid, nameOf: name, taken: this.#taken };
    const directory = new Directory(list, rules, place);
    const each = <Read>(read: (thing: Thing, guid: string, place: Place) => Read): Read[] =>
      list.flatMap((thing, index) => {
        const guid = directory.guids[index];
        return guid ? [read(thing, guid, place.at(index))] : [];
      });
    return { directory, each };
  }

  #readRestaurant(restaurant: DocumentRestaurant, guid: string, place: Place): RestaurantContents {
    const info = this.#readInfo(restaurant, place.at('info'));
    const { objects, menuItems } = readObjects(restaurant.configuration ?? {}, {
      restaurantGuid: guid,
      currencyCode: textOf(info.general.currencyCode),
      place: place.at('configuration'),
      taken: this.#taken,
      isSound: this.#isSound,
    });
    const stock = this.#readStock(restaurant.stock, menuItems, place.at('stock'));
    return { guid, info, objects, stock };
  }

  #readInfo(restaurant: DocumentRestaurant, place: Place): RestaurantFields {
    const { guid: _guid, general, ...sections } = arrangeSettings(restaurant.info);
    const { managementGroupGuid: _group, ...own } = general;
    const info = { general: own, ...sections };
    checkRestaurantInfo(info, place, this.#isSound);
    return info;
  }

  #readStock(
    stock: readonly DocumentStock[] | undefined,
    menuItems: Directory,
    place: Place,
  ): StoredStock[] {
    const seen = new Set<string>();
    return (Array.isArray(stock) ? stock : []).flatMap((entry: DocumentStock, index) => {
      const here = place.at(index);
      if (!this.#isSound(here)) return [];
      const itemGuid = resolved(menuItems, entry.item, here.at('item'));
      checkStock(entry, here);
      if (itemGuid === null) return [];
      if (seen.has(itemGuid)) here.fault('the stock of this item is given twice; keep one', 'item');
      seen.add(itemGuid);
      const quantity = entry.quantity == null ? null : decimalQuantity(entry.quantity);
      return [{ itemGuid, status: entry.status, quantity }];
    });
  }

  #readClients(
    clients: readonly DocumentClient[],
    groupGuid: string,
    partners: Directory,
  ): ClientContents[] {
    const seen = new Set<string>();
    return clients.flatMap((client, index) => {
      const place = this.#place.at('clients', index);
      if (!this.#isSound(place)) return [];
      const { name, userAccessType: type, scopes, holdsLegacyCardKey = false } = client;
      const partner = client.partner ?? null;
      if ((type === 'PARTNER') !== (partner !== null)) {
        const message = 'must name the partner of a PARTNER account, and be absent for a CUSTOMER';
        place.fault(message, 'partner');
      }
      const partnerGuid =
        partner === null ? null : resolved(partners, partner, place.at('partner'));
      const clientId =
        client.clientId ?? deriveClientId(partnerGuid ?? groupGuid, client.key ?? name);
      if (seen.has(clientId))
        place.fault(`${clientId} is the clientId of another account here`, 'clientId');
      seen.add(clientId);
      return [
        { clientId, name, type, partnerGuid, scopes: [...scopes].sort(), holdsLegacyCardKey },
      ];
    });
  }

  #readConnections(
    connections: readonly DocumentConnection[] | undefined,
    directories: { readonly partners: Directory; readonly restaurants: Directory },
  ): WantedConnection[] {
    const seen = new Set<string>();
    return (Array.isArray(connections) ? connections : []).flatMap(
      (connection: DocumentConnection, index) => {
        const place = this.#place.at('connections', index);
        if (!this.#isSound(place)) return [];
        const partnerGuid = resolved(directories.partners, connection.partner, place.at('partner'));
        const restaurantGuid = resolved(
          directories.restaurants,
          connection.restaurant,
          place.at('restaurant'),
        );
        if (partnerGuid === null || restaurantGuid === null) return [];
        const pair = `${restaurantGuid} ${partnerGuid}`;
        if (seen.has(pair))
          place.fault('connects the same restaurant and partner as another connection; keep one');
        seen.add(pair);
        const contents = connectionContents(connection, { partnerGuid, restaurantGuid });
        const { createdAt, modifiedAt } = contents;
        if (createdAt && modifiedAt && modifiedAt < createdAt) {
          place.fault('must not be before createdDate', 'modifiedDate');
        }
        return [contents];
      },
    );
  }
}

/** A broken document can have anything there, and `String` throws for some objects. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function restaurantName({ info }: Readonly<Record<string, unknown>>): string | null {
  const general = (info as { general?: Readonly<Record<string, unknown>> } | undefined)?.general;
  return general ? nameOf(general) : null;
}

function resolved(directory: Directory, reference: string, place: Place): string | null {
  const { guid, fault } = directory.resolve(reference);
  if (fault !== undefined) place.fault(fault);
  return guid || null;
}

function connectionContents(
  connection: DocumentConnection,
  ends: { readonly partnerGuid: string; readonly restaurantGuid: string },
): WantedConnection {
  const { externalGroupRef = null, externalRestaurantRef = null } = connection;
  const { createdBy = {}, createdDate, modifiedDate } = connection;
  const { firstName = null, lastName = null, email = null, phone = null } = createdBy;
  return {
    ...ends,
    ...{ externalGroupRef, externalRestaurantRef },
    createdBy: { firstName, lastName, email, phone },
    createdAt: instantOf(createdDate),
    modifiedAt: instantOf(modifiedDate),
  };
}

/** QUANTITY needs a quantity that can be stored exactly, OUT_OF_STOCK has none (STK-7). */
function checkStock({ status, quantity = null }: DocumentStock, place: Place): void {
  if (status === 'OUT_OF_STOCK') {
    if (quantity !== null) place.fault('must be null or absent for OUT_OF_STOCK', 'quantity');
  } else if (quantity === null) {
    place.fault('is missing; the status QUANTITY needs it', 'quantity');
  } else if (decimalQuantity(quantity) === null) {
    place.fault('must have at most 12 digits before the point and 4 after it', 'quantity');
  }
}
