import { createHash } from 'node:crypto';
import { defaultBrand } from '@servery/contract';
import { ApiError } from '../http/errors.ts';
import type { Refusal } from './document/limits.ts';
import { refusalFaults } from './document/refusal-faults.ts';
import { resolveMenus } from './document/resolve.ts';
import type { SourceObject } from './document/source.ts';

export interface MadeMenus {
  /** The document without its `lastUpdated`; null if there is no menu. */
  readonly content: string | null;
  /** Documents with the same digest have the same bytes. */
  readonly digest: string | null;
  /** JSON. */
  readonly supplement: string;
}

/**
 * Takes seconds for a large configuration. Throws ApiError `unprocessable` if the document would be
 * too large (MENU-28) or too deep (MENU-25).
 */
export function makeMenus(
  { guid, timeZone }: { readonly guid: string; readonly timeZone: string },
  objects: Iterable<SourceObject>,
): MadeMenus {
  const source = { brand: defaultBrand, restaurantGuid: guid, timeZone, objects };
  const made = resolveMenus(source);
  if (made.refusal !== null) throw refused(made.refusal);
  return madeMenus(made.text, JSON.stringify(made.supplement));
}

export function madeMenus(content: string | null, supplement: string): MadeMenus {
  const digest = content && createHash('sha256').update(content).digest('hex');
  return { content, digest, supplement };
}

function refused(refusal: Refusal): ApiError {
  const faults = refusalFaults(refusal).map(({ collection, guid, name, message }) => ({
    where: guid === null ? collection : `${collection}/${guid} ${JSON.stringify(name)}`,
    message,
  }));
  const told = faults.map(({ where, message }) => `${where}: ${message}`).join('; ');
  return new ApiError('unprocessable', `The menus cannot be published: ${told}.`, { faults });
}
