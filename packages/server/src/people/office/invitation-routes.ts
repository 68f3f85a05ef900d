import type { OperationHandlers } from '../../http/operation.ts';
import { isoTimestamp } from '../../http/timestamps.ts';
import { acceptInvitation, type InvitationDeps, inspectInvitation } from '../invitations.ts';
import { invitationPage } from './invitation-page.ts';
import { readAcceptance, readToken } from './read-body.ts';
import { answerSession, sessionOrigin } from './answer-session.ts';

/** What the operations on links lean on. */
export interface InvitationRouteDeps extends InvitationDeps {
  readonly config: { readonly brand: string };
}

/** The operations with which the holder of a link gets in: they need no session. */
export function invitationHandlers(
  deps: InvitationRouteDeps,
): Pick<OperationHandlers, `backOffice.invitations.${'page' | 'inspect' | 'accept'}`> {
  const page = invitationPage(deps.config.brand);
  return {
    'backOffice.invitations.page': async () => page,
    'backOffice.invitations.inspect': async ({ body }) => {
      const invited = await inspectInvitation(deps, readToken(body));
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
    },
    'backOffice.invitations.accept': async (request) => {
      const origin = sessionOrigin(deps, request);
      const session = await acceptInvitation(deps, readAcceptance(request.body), origin);
      return await answerSession(deps, request, session);
    },
  };
}
