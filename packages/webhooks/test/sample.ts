import { exampleOf, type PartnerEvent } from '@servery/contract';
import { detailFields } from '@servery/webhooks';

/** A secret that lives, and one that takes over from it. */
export const oldSecret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
/** The secret that takes over. */
export const newSecret = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;
/** When the attempts of these tests are made. */
export const attemptSeconds = 1_790_000_000;
/** A present that is the attempt's. */
export const atOnce = { nowMs: attemptSeconds * 1000 };

const event = exampleOf({ schema: 'PartnerEvent', array: false }, 'Platform') as PartnerEvent;

/** The body of an event as the platform sends it, with letters outside of ASCII. */
export const body = JSON.stringify({
  ...event,
  details: inOrder({ ...event.details, restaurantName: 'Café Ñandú “Süd”', locationName: null }),
});

function inOrder(details: PartnerEvent['details']): PartnerEvent['details'] {
  const fields = detailFields.map((name) => [name, details[name]]);
  return Object.fromEntries(fields);
}
