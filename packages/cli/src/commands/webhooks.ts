import type { Family } from '../command.ts';
import { deliveryCommands } from './webhook-deliveries.ts';
import { endpointCommands } from './webhook-endpoints.ts';
import { replay } from './webhook-replay.ts';
import { test } from './webhook-test.ts';
import { verify } from './webhook-verify.ts';

export const webhooks: Family = {
  name: 'webhooks',
  summary: 'Manage webhook endpoints, deliveries, and replays',
  parts: { secrets: 'Add and revoke secrets of an endpoint' },
  examples: [
    'servery webhooks create https://hooks.example.com/servery --client partner',
    'servery webhooks deliveries --state dead',
    'servery webhooks replay hooks.example.com --failed',
  ],
  commands: [...endpointCommands, ...deliveryCommands, replay, test, verify],
};
