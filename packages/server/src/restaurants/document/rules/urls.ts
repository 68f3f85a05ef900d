import type { URLs } from '@servery/contract';
import type { Place } from '../../../document/faults.ts';

/** Fields a browser opens; the social sites define the other two. */
const addresses = ['website', 'orderOnline', 'purchaseGiftCard', 'checkGiftCard'] as const;

/** Must be absolute: a guest's browser has no page to start from. */
export function checkUrls(urls: URLs, place: Place): void {
  for (const name of addresses) {
    const address = urls[name];
    if (address === null || isWebAddress(address)) continue;
    place.fault(
      'is not a web address; write a complete one, for example https://example.com',
      name,
    );
  }
}

function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && /^https?:\/\/\S+$/i.test(text);
}
