import { deriveGuid } from '../configuration/document/identity.ts';

/** Every derived GUID depends on it, so it must never change. */
const SERVERY_NAMESPACE = 'f4d4a27c-5f0e-4b7e-9d5a-6c1f0b8f6a31';

export function deriveGroupGuid(name: string): string {
  return deriveGuid(SERVERY_NAMESPACE, name);
}

/** Doesn't depend on a group: all groups share partners. */
export function derivePartnerGuid(key: string): string {
  return deriveGuid(SERVERY_NAMESPACE, `partners/${key}`);
}

export function deriveClientId(ownerGuid: string, key: string): string {
  return deriveGuid(ownerGuid, `clients/${key}`);
}

export function deriveRestaurantGuid(groupGuid: string, key: string): string {
  return deriveGuid(groupGuid, `restaurants/${key}`);
}
