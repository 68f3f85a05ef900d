import { call, holds } from '../../platform/session.ts';

/** What orders of a restaurant refer to. */
export interface Place {
  readonly guid: string;
  readonly name: string;
  readonly timeZone: string;
  readonly currencyCode: string;
  readonly closeoutHour: number;
  readonly approvesByHand: boolean;
  /** Of dining options, tables, and so on. */
  readonly names: ReadonlyMap<string, string>;
  readonly voidReasons: readonly Named[];
  readonly otherPayments: readonly Named[];
}

interface Named {
  readonly guid: string;
  readonly name: string;
}

const COLLECTIONS = [
  'diningOptions',
  'tables',
  'serviceAreas',
  'voidReasons',
  'alternatePaymentTypes',
] as const;
const PAGE = 200;
const PAGES = 5;

export async function readPlace(restaurantGuid: string): Promise<Place> {
  const params = { restaurantGuid };
  const [{ general, orders }, ...lists] = await Promise.all([
    call('backOffice.restaurants.get', { params }),
    ...COLLECTIONS.map((collection) => listNamed(restaurantGuid, collection)),
  ]);
  const { name, timeZone, currencyCode, closeoutHour } = general;
  const [, , , voidReasons = [], otherPayments = []] = lists;
  return {
    ...{ guid: restaurantGuid, name, timeZone, currencyCode, closeoutHour },
    ...{ voidReasons, otherPayments, approvesByHand: orders.approval === 'manual' },
    names: new Map(lists.flat().map((each) => [each.guid, each.name])),
  };
}

async function listNamed(
  restaurantGuid: string,
  collection: (typeof COLLECTIONS)[number],
): Promise<readonly Named[]> {
  if (!holds('configuration:read', restaurantGuid)) return [];
  const found: Named[] = [];
  let pageToken: string | undefined;
  for (let page = 0; page < PAGES; page += 1) {
    const params = { restaurantGuid, collection };
    const query = { archived: false, pageSize: PAGE, pageToken };
    const answer = await call('backOffice.configuration.objects.list', { params, query });
    for (const { published } of answer.results) {
      const { guid, name } = (published ?? {}) as { guid?: unknown; name?: unknown };
      if (guid && name) found.push({ guid: String(guid), name: String(name) });
    }
    pageToken = answer.nextPageToken ?? undefined;
    if (pageToken === undefined) break;
  }
  return found;
}
