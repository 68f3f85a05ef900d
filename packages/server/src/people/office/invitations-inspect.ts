import type { HandlerOf } from '../../http/operation.ts';
import { inspectInvitation } from '../invitations.ts';
import type { PeopleDeps } from '../people-deps.ts';

export const inspectInvitationHandler =
  (deps: PeopleDeps): HandlerOf<'backOffice.invitations.inspect'> =>
  async ({ body }) => {
    const invited = await inspectInvitation(deps, body.token);
    const { name, expiresAt, choosesEmail, hasTotp: needsTotp } = invited;
    const email = choosesEmail ? null : invited.email;
    return { json: { email, name, expiresAt, choosesEmail, needsTotp } };
  };
