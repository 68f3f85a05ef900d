import { brandedChannel, onlineOrderingChannel } from '@servery/contract';
import { ApiError } from '../http/errors.ts';
import { isoTimestamp } from '../http/timestamps.ts';
import { withLastUpdated } from './document/resolve.ts';
import type { PublishedMenus } from './store.ts';

/** The bytes of the document, in the words of the brand. */
export function menusText(
  { lastUpdated, content }: Pick<PublishedMenus, 'lastUpdated' | 'content'>,
  brand: string,
): string {
  return withLastUpdated(branded(content, brand), wireTime(lastUpdated));
}

/** As the interface writes times. */
export function wireTime(at: Date): string {
  return isoTimestamp(at).replace('Z', '+0000');
}

/** The same for a restaurant without publications and for one without menus (MENU-6). */
export function noMenus(): ApiError {
  return new ApiError(
    'notFound',
    'The restaurant has no published menu: try again once it has published one.',
  );
}

/** In a text of the restaurant, the quotes would be escaped. */
const VISIBILITY = /"visibility":\[[^\]]*\]/g;

/** Kept without a brand, which is a setting. */
function branded(content: string, brand: string): string {
  const channel = brandedChannel(onlineOrderingChannel, brand);
  if (channel === onlineOrderingChannel) return content;
  return content.replace(VISIBILITY, (shown) =>
    shown.replace(`"${onlineOrderingChannel}"`, `"${channel}"`),
  );
}
