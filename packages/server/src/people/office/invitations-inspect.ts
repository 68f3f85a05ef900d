import type { HandlerOf } from '../../http/operation.ts';
import { isoTimestamp } from '../../http/timestamps.ts';
import { type InspectInvitationDeps, inspectInvitation } from '../invitations.ts';

export const inspectInvitationHandler =
  (deps: InspectInvitationDeps): HandlerOf<'backOffice.invitations.inspect'> =>
  async ({ body }) => {
    const invited = await inspectInvitation(deps, body.token);
    const { name, email, expiresAt, choosesEmail, hasTotp: needsTotp } = invited;
    return {
      json: {
        email: choosesEmail ? null : email,
        name,
        expiresAt: isoTimestamp(expiresAt),
        choosesEmail,
        needsTotp,
      },
    };
  };
