import { Servery } from '@servery/client';
import { defaultBrand, type PartnerAccessExternalRep } from '@servery/contract';
import type { Environment } from '../command.ts';
import { readAddress, readDemo } from '../connection.ts';
import { invalidUsage } from '../exit-codes.ts';
import { readBytes } from '../files.ts';

/** A `demo.json` of any platform. What is not in it can't be checked. */
export type PlatformFile = Readonly<Record<string, unknown>>;

const EMPTY = {
  tlsUrl: null,
  clients: {},
  people: [],
  managementGroupGuid: '',
  restaurants: [],
  cardKeys: [],
  testCards: [],
};
const RESTAURANTS_AT_MOST = 50;

/** What is known of a platform: a file, else an account, else the sandbox of the data directory. */
export async function platformFileOf(
  url: string,
  file: string | undefined,
  env: Environment,
): Promise<PlatformFile> {
  const address = readAddress(url);
  const defaults = { ...EMPTY, brand: defaultBrand, baseUrl: address, authUrl: address };
  if (file !== undefined) return { ...defaults, ...(await readPlatformFile(file)) };
  const { SERVERY_CLIENT_ID: clientId, SERVERY_CLIENT_SECRET: clientSecret } = env;
  if (clientId && clientSecret) {
    return { ...defaults, ...(await discover(address, { clientId, clientSecret })) };
  }
  const demo = await readDemo(env, {});
  if (demo && [demo.baseUrl, demo.tlsUrl].includes(address)) return { ...demo };
  throw invalidUsage(
    `which account of ${address}? Set SERVERY_CLIENT_ID and SERVERY_CLIENT_SECRET, or name a file ` +
      'with --platform.',
  );
}

async function readPlatformFile(file: string): Promise<PlatformFile> {
  const bytes = await readBytes(file);
  try {
    const content: unknown = JSON.parse(bytes.toString('utf8'));
    if (typeof content === 'object' && content !== null && !Array.isArray(content)) {
      return { ...content };
    }
  } catch {
    // Told below.
  }
  throw invalidUsage(`${file} is not a JSON object like the demo.json of a sandbox.`);
}

interface Restaurant {
  readonly guid: string;
  readonly name: string | null;
  readonly timeZone: string;
  readonly currencyCode: string | null;
  readonly archived: boolean;
}

/** What an account finds out itself: its restaurants, and the brand. */
async function discover(
  baseUrl: string,
  account: { readonly clientId: string; readonly clientSecret: string },
): Promise<PlatformFile> {
  const servery = new Servery({ baseUrl, ...account });
  const open = (await servery.partners.restaurants.list()).filter(({ deleted }) => !deleted);
  const restaurants: Restaurant[] = [];
  // One after the other, because of the rate limit.
  for (const { restaurantGuid: guid } of open.slice(0, RESTAURANTS_AT_MOST)) {
    const { general } = await servery.at(guid).restaurants.get();
    const { name, timeZone, currencyCode } = general;
    restaurants.push({ guid, name, timeZone, currencyCode, archived: false });
  }
  const { brand } = servery.transport;
  return {
    brand: brand.charAt(0).toUpperCase() + brand.slice(1),
    clients: {
      partner: {
        ...account,
        userAccessType: `${brand.toUpperCase()}_MACHINE_CLIENT`,
        scopes: [],
      },
    },
    managementGroupGuid: await wholeGroupOf(servery, open),
    restaurants,
  };
}

/** The group of the restaurants, if they are all that it has; else nothing: most is not known. */
async function wholeGroupOf(
  servery: Servery,
  open: readonly PartnerAccessExternalRep[],
): Promise<string> {
  const [first] = open;
  if (!first) return '';
  const { managementGroupGuid: group, restaurantGuid } = first;
  const members = await servery
    .at(restaurantGuid)
    .restaurants.listGroup({ managementGroupGUID: group });
  const reached = new Set(open.map((each) => each.restaurantGuid));
  return members.every(({ guid }) => reached.has(guid)) ? group : '';
}
