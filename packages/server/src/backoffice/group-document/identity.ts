import { derivedGuid } from '../../support/ids.ts';

/** The root of every derived GUID; it is part of the format and never changes. */
const SERVERY_NAMESPACE = 'f4d4a27c-5f0e-4b7e-9d5a-6c1f0b8f6a31';

/** The GUID of a management group whose document gives none. */
export function deriveGroupGuid(name: string): string {
  return derive(SERVERY_NAMESPACE, name);
}

/** The GUID of a partner whose document gives none; partners are the same to all groups. */
export function derivePartnerGuid(key: string): string {
  return derive(SERVERY_NAMESPACE, `partners/${key}`);
}

/** The client id of an account whose document gives none, from the partner's or group's GUID. */
export function deriveClientId(ownerGuid: string, key: string): string {
  return derive(ownerGuid, `clients/${key}`);
}

/** The GUID of a restaurant whose document gives none. */
export function deriveRestaurantGuid(groupGuid: string, key: string): string {
  return derive(groupGuid, `restaurants/${key}`);
}

/** The GUID of an object, or of a thing within one, whose document gives none. */
export function deriveObjectGuid(restaurantGuid: string, kind: string, key: string): string {
  return derive(restaurantGuid, `${kind}/${key}`);
}

/** The GUID of a restaurant's tip withholding, of which there is one, when none is given. */
export function deriveTipWithholdingGuid(restaurantGuid: string): string {
  return derive(restaurantGuid, 'tipWithholding');
}

/** Half of a surrogate pair in a name is told as a fault; it must not end the reading here. */
function derive(namespaceGuid: string, name: string): string {
  return derivedGuid(namespaceGuid, name.toWellFormed());
}
