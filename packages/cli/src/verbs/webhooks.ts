import type { Family } from './verb.ts';
import { deliveryVerbs } from './webhook-deliveries.ts';
import { endpointVerbs } from './webhook-endpoints.ts';
import { verifyVerb } from './webhook-verify.ts';

/** `servery webhooks`. */
export const webhooks: Family = {
  name: 'webhooks',
  says: 'where partners are told of events, what is on its way there, and replays',
  examples: [
    'servery webhooks create https://hooks.example.com/servery --client partner',
    'servery webhooks deliveries --state dead',
    'servery webhooks replay hooks.example.com --failed',
  ],
  verbs: [...endpointVerbs, ...deliveryVerbs, verifyVerb],
};
