// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Pieces of code stand here as text.
import type { Defect } from '../defect.ts';

const ENDPOINTS = 'packages/server/test/webhooks/endpoints.test.ts';
const COMMAND = 'packages/cli/test/clients.test.ts';
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
];
