import { partnerEventTypes, type RequestOf } from '@servery/contract';
import type { EndpointSettings } from '../../endpoints/endpoint-store.ts';

type SentSettings = RequestOf<'backOffice.webhooks.endpoints.update'>['body'];

/** The settings that were sent, as they are stored; what is left out stays absent. */
export function settingsOf({
  eventTypes: sentTypes,
  retryDelaysSeconds: retryDelaysS,
  ...settings
}: SentSettings): Partial<EndpointSettings> {
  if (sentTypes === undefined) return { ...settings, ...(retryDelaysS && { retryDelaysS }) };
  // In the order of the contract and each once.
  const eventTypes = sentTypes && partnerEventTypes.filter((type) => sentTypes.includes(type));
  return { ...settings, eventTypes, ...(retryDelaysS && { retryDelaysS }) };
}
