import type { HandlerOf } from '../../http/operation.ts';
import { openPage } from '../../http/page.ts';
import { pageTokens } from '../../http/paging.ts';
import { listSandboxes } from '../registry-store.ts';
import { type SandboxAdminDeps, sandboxesOf } from './deps.ts';
import { sandboxOnWire } from './on-wire.ts';

export const listSandboxesHandler = (
  deps: SandboxAdminDeps,
): HandlerOf<'backOffice.sandboxes.list'> => {
  const tokens = pageTokens<{ query: { pageSize?: number }; after: string }>(
    deps.vault,
    'backOffice.sandboxes',
  );
  return async ({ query: sent, baseUrl }) => {
    sandboxesOf(deps);
    const { query, after, pageSize } = openPage(sent, tokens);
    const rows = await listSandboxes(deps.database.sql, after, pageSize + 1);
    const shown = rows.slice(0, pageSize);
    const last = rows.length > pageSize ? shown.at(-1) : undefined;
    return {
      json: {
        results: await Promise.all(shown.map((row) => sandboxOnWire(deps, row, baseUrl))),
        nextPageToken: last ? tokens.seal({ query, after: last.name }) : null,
      },
    };
  };
};
