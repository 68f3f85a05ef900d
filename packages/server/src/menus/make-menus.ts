import { createHash } from 'node:crypto';
import { defaultBrand } from '@servery/contract';
import { ApiError } from '../http/errors.ts';
import { MOST_BYTES, MOST_ENTRIES, MOST_LEVELS, type Refusal } from './document/limits.ts';
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
  const faults =
    refusal.reason === 'TOO_DEEP'
      ? [tooDeep(refusal)]
      : refusal.largest.map(({ guid, name, entries }) => ({
          where: `menuOptionGroups ${guid}`,
          message: `takes ${entries} entries (${JSON.stringify(name)}): use it in fewer places`,
        }));
  const message =
    refusal.reason === 'TOO_DEEP'
      ? `The menus cannot be published: ${faults[0]?.where} ${faults[0]?.message}.`
      : `The menus cannot be published: partners would read more than ${MOST_BYTES / 1_048_576} ` +
        `MiB or ${MOST_ENTRIES} entries of modifiers. Use the largest modifier groups in fewer ` +
        'places.';
  return new ApiError('unprocessable', message, { faults });
}

function tooDeep({ collection, guid, name }: Extract<Refusal, { reason: 'TOO_DEEP' }>) {
  const where = `${collection} ${guid}`;
  return {
    where,
    message: `(${JSON.stringify(name)}) lies deeper than ${MOST_LEVELS} levels: nest less`,
  };
}
