import { hash } from 'node:crypto';
import { derivedGuid } from '@servery/support/ids.ts';

/** The GUID of an object, or of a thing within one, whose document gives none. */
export function deriveObjectGuid(restaurantGuid: string, kind: string, key: string): string {
  return deriveGuid(restaurantGuid, `${kind}/${key}`);
}

/** The GUID of a restaurant's tip withholding where no other was given; always the same (CFG-11). */
export function tipWithholdingGuid(restaurantGuid: string): string {
  return deriveGuid(restaurantGuid, 'tipWithholding');
}

/**
 * The `multiLocationId` of an item whose document gives none: digits, as the published platforms
 * have them, so that a client that takes it for the GUID finds out. No card number begins with
 * 10, so no redaction takes it for one.
 */
export function deriveMultiLocationId(itemGuid: string): string {
  const drawn = hash('sha256', itemGuid, 'buffer').readBigUInt64BE() % 10n ** 16n;
  return `10${String(drawn).padStart(16, '0')}`;
}

/**
 * The same GUID for the same name in a namespace. Half of a surrogate pair in a name is told as a
 * fault elsewhere; it must not end the reading here.
 */
export function deriveGuid(namespaceGuid: string, name: string): string {
  return derivedGuid(namespaceGuid, name.toWellFormed());
}
