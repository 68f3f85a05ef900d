import type { HandlerOf } from '../../http/operation.ts';
import { type SandboxAdminDeps, sandboxesOf } from './deps.ts';

export const diffSandboxesHandler =
  (deps: SandboxAdminDeps): HandlerOf<'backOffice.sandboxes.diff'> =>
  async ({ params: { name }, query: { with: other } }) => {
    const { compare } = sandboxesOf(deps);
    return { json: { name, with: other, ...(await compare(name, other)) } };
  };
