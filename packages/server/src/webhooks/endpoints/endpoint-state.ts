import type { Database } from '../../database/database.ts';
import { updateDeliveriesDueAgain } from '../delivery/delivery-store.ts';
import { type EndpointView, updateEndpointStanding } from './endpoint-store.ts';
import {
  type EndpointAuthority,
  findLiveEndpoint,
  findManagedEndpoint,
  keyOf,
} from './endpoints.ts';
import { recordEndpointChange } from './record-endpoint.ts';

export interface EndpointStateDeps {
  readonly database: Database;
}

/**
 * Events still queue. An endpoint that a person paused stays unchanged. Throws ApiError `notFound`,
 * and `conflict` for an archived one.
 */
export async function pauseEndpoint(
  deps: EndpointStateDeps,
  endpointGuid: string,
  reason: string,
  authority: EndpointAuthority,
): Promise<EndpointView> {
  return await stand(deps, endpointGuid, { state: 'PAUSED', reason }, authority);
}

/** No events queue; what waits stays. Throws ApiError `notFound`, and `conflict` if archived. */
export async function disableEndpoint(
  deps: EndpointStateDeps,
  endpointGuid: string,
  reason: string,
  authority: EndpointAuthority,
): Promise<EndpointView> {
  return await stand(deps, endpointGuid, { state: 'DISABLED', reason }, authority);
}

/** Sends what waits, in order. Throws ApiError `notFound`, and `conflict` if archived. */
export async function resumeEndpoint(
  deps: EndpointStateDeps,
  endpointGuid: string,
  authority: EndpointAuthority,
): Promise<EndpointView> {
  return await stand(deps, endpointGuid, { state: 'ACTIVE', reason: null }, authority);
}

type Wish =
  | { readonly state: 'ACTIVE'; readonly reason: null }
  | { readonly state: 'PAUSED' | 'DISABLED'; readonly reason: string };

async function stand(
  { database }: EndpointStateDeps,
  endpointGuid: string,
  { state, reason }: Wish,
  { reach, origin }: EndpointAuthority,
): Promise<EndpointView> {
  return await database.transaction(async (sql) => {
    const endpoint = await findLiveEndpoint(sql, endpointGuid, reach);
    const isSo = endpoint.state === state && (endpoint.stateReason ?? 'PERSON') === 'PERSON';
    if (isSo) return endpoint;
    await recordEndpointChange(sql, origin, endpointGuid, async () => {
      await updateEndpointStanding(sql, keyOf(endpoint), {
        state,
        stateReason: state === 'ACTIVE' ? null : 'PERSON',
        stateDetail: reason,
        stateSince: origin.at,
        stateBy: origin.by,
        failures: 0,
        failingSince: null,
        probes: 0,
        probeAt: null,
      });
      if (state === 'ACTIVE') await updateDeliveriesDueAgain(sql, keyOf(endpoint), origin.at);
    });
    return await findManagedEndpoint(sql, endpointGuid, reach);
  });
}
