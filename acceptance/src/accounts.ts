import { Client, type DemoCallers, logIn } from './client.ts';

/** An API account that a test made, logged in. */
interface MadeAccount {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly caller: Client;
}

async function create(callers: DemoCallers, id: string, json: object): Promise<string> {
  const operator = await callers.as('operator');
  return String(
    ((await operator.call(`backOffice.${id}`, 200, { json })).json as { guid: string }).guid,
  );
}

/** Makes a management group; gives its GUID. */
export const newGroup = (callers: DemoCallers, name: string): Promise<string> =>
  create(callers, 'managementGroups.create', { name });

/** Makes a restaurant of a group; gives its GUID. */
export const newRestaurant = (
  callers: DemoCallers,
  managementGroupGuid: string,
): Promise<string> => {
  const place = { timeZone: 'Europe/Lisbon', currencyCode: 'EUR', managementGroupGuid };
  return create(callers, 'restaurants.create', { general: { name: 'Ring tavern', ...place } });
};

/** Makes an API account with the fields of a NewApiClient beside its name, and logs it in. */
export async function newAccount(callers: DemoCallers, about: object): Promise<MadeAccount> {
  const { platform } = callers;
  const operator = await callers.as('operator');
  const json = { name: 'Ring account', ...about };
  const issued = (await operator.call('backOffice.clients.create', 200, { json })).json as {
    client: { clientId: string };
    clientSecret: string;
  };
  const { clientSecret, client } = issued;
  const { clientId } = client;
  const userAccessType = `${platform.brand.toUpperCase()}_MACHINE_CLIENT`;
  const account = { clientId, clientSecret, userAccessType, scopes: [] };
  return { clientId, clientSecret, caller: new Client(platform, await logIn(platform, account)) };
}
