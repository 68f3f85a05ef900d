import type { Clock } from '@servery/support/clock.ts';
import { newGuid } from '@servery/support/ids.ts';
import type { Vault } from '@servery/support/secret.ts';
import { attestEntries } from '../../../packages/server/src/audit/origin.ts';
import { createClient } from '../../../packages/server/src/clients/clients.ts';
import type { Database } from '../../../packages/server/src/database/database.ts';
import { connect, updateReferences } from '../../../packages/server/src/partners/connections.ts';
import { everywhere } from '../../../packages/server/src/support/due-work.ts';
import { createEndpoint } from '../../../packages/server/src/webhooks/endpoints/endpoints.ts';
import { insertCrashPartner, insertCrashRestaurant } from './rows-store.ts';

/** What making events leans on. */
export interface PartnerDeps {
  readonly database: Database;
  readonly vault: Vault;
  readonly clock: Clock;
}

/** A partner of a run, which has one endpoint. */
export interface CrashPartner {
  readonly guid: string;
  /** Of its endpoint at the receiver. */
  readonly path: string;
  readonly isOrdered: boolean;
  /** True when nobody calls its retries and probes forward: they must come by themselves. */
  readonly isLeftAlone: boolean;
  /** The numbers of the changes that were acknowledged. */
  readonly acknowledged: Set<number>;
  /**
   * Makes the changes of numbers in one transaction; it may fail, and then nobody knows whether
   * they were made.
   */
  change(numbers: readonly number[]): Promise<void>;
}

/** How an endpoint of a run is. */
export interface CrashEndpoint {
  readonly receiverUrl: string;
  readonly isOrdered: boolean;
  readonly isLeftAlone: boolean;
}

const RETRIES = 20;
/** One that is left alone waits longer: only a real failure is to pause it for half a minute. */
const TIMEOUTS = { connectTimeoutMs: 300, answerTimeoutMs: 700 };
const PATIENT_TIMEOUTS = { connectTimeoutMs: 1_500, answerTimeoutMs: 1_500 };
const nobody = { firstName: null, lastName: null, email: null, phone: null };

/** Makes a partner with a connected restaurant and an endpoint. */
export async function makeCrashPartner(
  deps: PartnerDeps,
  name: string,
  { receiverUrl, isOrdered, isLeftAlone }: CrashEndpoint,
): Promise<CrashPartner> {
  const { database, vault, clock } = deps;
  const { sql } = database;
  const at = new Date(clock.nowMs());
  const [guid, restaurantGuid] = [newGuid(), newGuid()];
  const attest = attestEntries(vault);
  const origin = {
    ...{ by: 'system:crash', requestId: null, operation: 'crash', at, realAt: at, attest },
  };
  await insertCrashPartner(sql, guid, at);
  await insertCrashRestaurant(sql, restaurantGuid, newGuid(), at);
  const account = { name, type: 'PARTNER', partnerGuid: guid, scopes: [] } as const;
  const { clientId } = await createClient({ sql, vault }, account, at.getTime());
  const change = { restaurantGuid, partnerGuid: guid, employee: nobody, origin };
  // Before there is an endpoint: this one is told to nobody.
  const references = { externalGroupRef: '0', externalRestaurantRef: null };
  await connect(deps, { ...change, ...references });
  const path = `/${name}`;
  await createEndpoint(
    { database, vault, targetRules: { allowsLoopback: true } },
    {
      ...{ clientId, url: receiverUrl + path, isOrdered },
      ...(isLeftAlone ? PATIENT_TIMEOUTS : TIMEOUTS),
      retryDelaysSeconds: Array.from({ length: RETRIES }, () => 1),
    },
    { reach: everywhere, origin },
  );
  const acknowledged = new Set<number>();
  return {
    ...{ guid, path, isOrdered, isLeftAlone, acknowledged },
    async change(numbers) {
      await database.transaction(async (sql) => {
        const together: Database = { ...database, sql, transaction: (run) => run(sql) };
        for (const number of numbers) {
          const edited = { ...change, externalGroupRef: String(number) };
          await updateReferences({ database: together, clock }, edited);
        }
      });
      for (const number of numbers) acknowledged.add(number);
    },
  };
}
