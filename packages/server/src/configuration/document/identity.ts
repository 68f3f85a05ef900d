import { hash } from 'node:crypto';
import { derivedGuid } from '@servery/support/ids.ts';
import type { ObjectKind } from './contents.ts';

export function deriveObjectGuid(restaurantGuid: string, kind: string, key: string): string {
  return deriveGuid(restaurantGuid, `${kind}/${key}`);
}

/** Always the same for a restaurant (CFG-11). */
export function tipWithholdingGuid(restaurantGuid: string): string {
  return deriveGuid(restaurantGuid, 'tipWithholding');
}

/** What several locations share has the same multiLocationId at each (MENU-24). */
const sharedKinds: readonly ObjectKind[] = [
  'menuGroups',
  'menuItems',
  'menuOptionGroups',
  'menus',
  'preModifierGroups',
  'preModifiers',
];

export const hasMultiLocationId = (kind: ObjectKind): boolean => sharedKinds.includes(kind);

/**
 * Digits, as on the published platforms, so that a client that takes it for the GUID notices. It
 * begins with 10, as no card number does, so redaction leaves it alone.
 */
export function deriveMultiLocationId(guid: string): string {
  const drawn = hash('sha256', guid, 'buffer').readBigUInt64BE() % 10n ** 16n;
  return `10${String(drawn).padStart(16, '0')}`;
}

/** Must not throw on half a surrogate pair: another check notes that fault. */
export function deriveGuid(namespaceGuid: string, name: string): string {
  return derivedGuid(namespaceGuid, name.toWellFormed());
}
