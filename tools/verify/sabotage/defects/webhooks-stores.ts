// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Pieces of code stand here as text.
import type { Defect } from '../defect.ts';

const ENDPOINTS = 'packages/server/test/webhooks/endpoints.test.ts';
const COMMAND = 'packages/cli/test/clients.test.ts';
const FORGET = 'packages/server/test/webhooks/forget.test.ts';
const SOURCE = 'packages/server/src/webhooks';
const AUTH = 'packages/server/src/auth';

/** Defects of what is kept of webhooks: what would stay, go or be read at the wrong time. */
export const webhooksStoreDefects: readonly Defect[] = [
  {
    name: 'webhooks-endpoint-outlives-account',
    file: `${AUTH}/revoke-account.ts`,
    find: '  await archiveEndpointsOfClient(sql, clientId, origin);\n',
    replace: '',
    why: 'An endpoint would look alive and be told nothing.',
    caughtBy: { file: ENDPOINTS, name: /whoever revokes an account ends its endpoints/ },
  },
  {
    name: 'webhooks-endpoint-outlives-command',
    file: 'packages/cli/src/commands/clients.ts',
    find: '(sql) => revokeAccount(sql, clientId, origin)',
    replace:
      '(sql) =>\n' +
      '      sql`update api_client set revoked_at = created_at where client_id = ${clientId}`',
    why: 'An account that the command ended would leave endpoints that look alive.',
    caughtBy: { file: COMMAND, name: /its endpoints end, and what waits is dropped/ },
  },
  {
    name: 'webhooks-forgetting-begins-anew',
    file: `${SOURCE}/forget-store.ts`,
    find: '  if (!after) return sql``;',
    replace: '  if (!after || after.number > 0) return sql``;',
    why: 'What a dead endpoint keeps would be read for each batch, until nothing is forgotten.',
    caughtBy: { file: FORGET, name: /what is kept is looked at once/ },
  },
  {
    name: 'webhooks-replay-loses-event',
    file: `${SOURCE}/forget-store.ts`,
    find: '            and x.position = looked.position)',
    replace: '            and x.position = looked.position and x.number < 0)',
    why: 'An event that is told again would be in the way, and nothing forgotten any more.',
    caughtBy: { file: FORGET, name: /what is kept is looked at once/ },
  },
];
