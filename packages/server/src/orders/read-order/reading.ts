import type { OrderReferenceRequest } from '@servery/contract';
import type { FaultPath, Faults } from '../../http/faults.ts';
import type { OrderingConfiguration } from '../configuration.ts';
import type { OrderingRestaurant } from '../published-store.ts';
import type { PublishedMenus } from './menu-index.ts';
import type { Part } from './part.ts';

export interface ReadingContext {
  readonly restaurant: OrderingRestaurant;
  readonly configuration: OrderingConfiguration;
  /** Null if no menu is published. */
  readonly menus: PublishedMenus | null;
  readonly nowMs: number;
  /** False for operation 1, which ignores payments and external ids (ORD-43). */
  readonly isPlaced: boolean;
  readonly faults: Faults;
  /** Where the order is in the body. */
  readonly path: FaultPath;
}

/** Only what is published can be named; anything else is a 404. */
export function readNamed<T extends object, Found>(
  part: Part<T>,
  name: keyof T & string,
  all: ReadonlyMap<string, Found>,
): Found | null {
  const sent = part.get(name) as OrderReferenceRequest | undefined;
  if (!sent) return null;
  const found = all.get(sent.guid.toLowerCase());
  if (!found) part.notThere('is not published at this restaurant: send one that is', name);
  return found ?? null;
}

/** Empty texts count as absent. */
export function readText<T extends object>(part: Part<T>, name: keyof T & string): string | null {
  const sent = part.get(name);
  if (sent === undefined || sent === '') return null;
  const text = String(sent);
  if (!text.isWellFormed()) part.fault('has half a surrogate pair: send whole characters', name);
  return text;
}

/** ORD-13: a value that would be dropped silently is refused. */
export function refuseUnsupported<T extends object>(part: Part<T>, name: keyof T & string): void {
  if (part.get(name) !== undefined) part.fault('is not supported: leave it out', name);
}
