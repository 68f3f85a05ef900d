import { partnerEventTypes, type RequestOf } from '@servery/contract';
import type { EndpointSettings } from '../../endpoints/endpoint-store.ts';

type SentSettings = RequestOf<'backOffice.webhooks.endpoints.update'>['body'];

export function settingsOf({
  eventTypes: sentTypes,
  retryDelaysSeconds: retryDelaysS,
  ...settings
}: SentSettings): Partial<EndpointSettings> {
  if (sentTypes === undefined) return { ...settings, ...(retryDelaysS && { retryDelaysS }) };
  const eventTypes = sentTypes && partnerEventTypes.filter((type) => sentTypes.includes(type));
  return { ...settings, eventTypes, ...(retryDelaysS && { retryDelaysS }) };
}
