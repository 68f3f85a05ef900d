import { deriveGuid } from '../configuration/document/identity.ts';

/** The root of every derived GUID; it is part of the format and never changes. */
const SERVERY_NAMESPACE = 'f4d4a27c-5f0e-4b7e-9d5a-6c1f0b8f6a31';

/** The GUID of a management group whose document gives none. */
export function deriveGroupGuid(name: string): string {
  return deriveGuid(SERVERY_NAMESPACE, name);
}

/** The GUID of a partner whose document gives none; partners are the same to all groups. */
export function derivePartnerGuid(key: string): string {
  return deriveGuid(SERVERY_NAMESPACE, `partners/${key}`);
}

/** The client id of an account whose document gives none, from the partner's or group's GUID. */
export function deriveClientId(ownerGuid: string, key: string): string {
  return deriveGuid(ownerGuid, `clients/${key}`);
}

/** The GUID of a restaurant whose document gives none. */
export function deriveRestaurantGuid(groupGuid: string, key: string): string {
  return deriveGuid(groupGuid, `restaurants/${key}`);
}
