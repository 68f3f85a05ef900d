import { accountTypeOf, type Client, Refused } from '@servery/client/back-office';
import type { Operation, WhoAmI, WhoAmIGrant } from '@servery/contract';

/** Who calls the tools, and where. */
export interface Caller {
  readonly me: WhoAmI;
  readonly isSandbox: boolean;
  /** False below `/sandboxes/<name>`: only the main environment has sandboxes beside it. */
  readonly isMain: boolean;
}

const FORBIDDEN = 403;
const BAD_REQUEST = 400;
/** In production, there is no such operation, so asking about it is a 400. */
const OF_SANDBOXES = 'backOffice.sandboxes.list';

/** Asks the platform who the client is. `isSandbox` is null if that is to be found out. */
export async function identify(client: Client, isSandbox: boolean | null): Promise<Caller> {
  const isMain = !/\/sandboxes\/[^/]+$/.test(client.baseUrl);
  const ask = await asker(client);
  if (isSandbox !== null) return { me: await ask({}), isSandbox, isMain };
  try {
    return { me: await ask({ operation: OF_SANDBOXES }), isSandbox: true, isMain };
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== BAD_REQUEST) throw error;
    return { me: await ask({}), isSandbox: false, isMain };
  }
}

/** Asks the interface of the account first: a refusal by the other one would be logged. */
async function asker(client: Client) {
  const type = await accountTypeOf(client);
  const order = ['backOffice.whoami', 'platform.whoami'] as const;
  const [first, second] = isOfBackOffice(type ?? 'PERSON') ? order : order.toReversed();
  return async (query: { readonly operation?: string }): Promise<WhoAmI> => {
    try {
      return await client.call(first ?? order[0], { query });
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== FORBIDDEN) throw error;
      return await client.call(second ?? order[1], { query });
    }
  };
}

const isOfBackOffice = (type: string) => type === 'BACK_OFFICE' || type === 'PERSON';

/** What the platform checks before it looks at the content of a request. */
export function mayCall({ me, isSandbox, isMain }: Caller, operation: Operation): boolean {
  const { id, scope, orScope, heldFor } = operation;
  const isForSandbox = operation.isForSandbox || operation.isHiddenInProduction;
  if (isForSandbox && !isSandbox) return false;
  if (id.startsWith('backOffice.sandboxes.') && !isMain) return false;
  if (isOfBackOffice(me.type) !== (operation.interface === 'backOffice')) return false;
  if (operation.isForPartners && me.type !== 'PARTNER') return false;
  if (scope === null) return true;
  return me.grants.some(
    (grant) =>
      covers(grant, heldFor) &&
      grant.scopes.some((held) => held.scope === scope || held.scope === orScope),
  );
}

function covers({ place }: WhoAmIGrant, heldFor: Operation['heldFor']): boolean {
  return heldFor === null || place === 'platform' || place === heldFor;
}
