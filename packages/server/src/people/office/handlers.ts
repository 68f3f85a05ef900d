import type { HandlersOf } from '../../http/operation.ts';
import { createPersonHandler } from './create.ts';
import { deactivatePersonHandler } from './deactivate.ts';
import { getPersonHandler } from './get.ts';
import { acceptInvitationHandler } from './invitations-accept.ts';
import { inspectInvitationHandler } from './invitations-inspect.ts';
import { invitePersonHandler } from './invite.ts';
import { listPeopleHandler } from './list.ts';
import { changePasswordHandler } from './me-password-change.ts';
import { endOwnSessionHandler } from './me-sessions-end.ts';
import { listOwnSessionsHandler } from './me-sessions-list.ts';
import { type BeginTotpDeps, beginTotpHandler } from './me-totp-begin.ts';
import { confirmTotpHandler } from './me-totp-confirm.ts';
import { removeOwnTotpHandler } from './me-totp-remove.ts';
import { deleteViewHandler } from './me-views-delete.ts';
import { listViewsHandler } from './me-views-list.ts';
import { saveViewHandler } from './me-views-save.ts';
import { reactivatePersonHandler } from './reactivate.ts';
import { removePersonTotpHandler } from './remove-totp.ts';
import { giveRoleHandler } from './roles-give.ts';
import { takeRoleHandler } from './roles-take.ts';
import { endSessionHandler } from './session-end.ts';
import { getSessionHandler } from './session-get.ts';
import { beginSessionHandler } from './sessions-begin.ts';
import { beginDemoSessionHandler } from './sessions-begin-demo.ts';
import { listDemoPeopleHandler } from './sessions-demo-people.ts';
import { type DemoTokenDeps, demoTokenHandler } from './sessions-demo-token.ts';
import { endPersonSessionHandler } from './sessions-end.ts';
import { listPersonSessionsHandler } from './sessions-list.ts';
import { updatePersonHandler } from './update.ts';

export type OfficePeopleDeps = BeginTotpDeps & DemoTokenDeps;

export const officePeopleHandlers = (
  deps: OfficePeopleDeps,
): HandlersOf<`backOffice.${'people' | 'session' | 'sessions' | 'invitations' | 'me'}.`> => ({
  'backOffice.people.list': listPeopleHandler(deps),
  'backOffice.people.create': createPersonHandler(deps),
  'backOffice.people.get': getPersonHandler(deps),
  'backOffice.people.update': updatePersonHandler(deps),
  'backOffice.people.deactivate': deactivatePersonHandler(deps),
  'backOffice.people.reactivate': reactivatePersonHandler(deps),
  'backOffice.people.invite': invitePersonHandler(deps),
  'backOffice.people.removeTotp': removePersonTotpHandler(deps),
  'backOffice.people.sessions.list': listPersonSessionsHandler(deps),
  'backOffice.people.sessions.end': endPersonSessionHandler(deps),
  'backOffice.people.roles.give': giveRoleHandler(deps),
  'backOffice.people.roles.take': takeRoleHandler(deps),
  'backOffice.sessions.begin': beginSessionHandler(deps),
  'backOffice.sessions.demoPeople': listDemoPeopleHandler(deps),
  'backOffice.sessions.beginDemo': beginDemoSessionHandler(deps),
  'backOffice.sessions.demoToken': demoTokenHandler(deps),
  'backOffice.session.get': getSessionHandler(deps),
  'backOffice.session.end': endSessionHandler(deps),
  'backOffice.invitations.inspect': inspectInvitationHandler(deps),
  'backOffice.invitations.accept': acceptInvitationHandler(deps),
  'backOffice.me.sessions.list': listOwnSessionsHandler(deps),
  'backOffice.me.sessions.end': endOwnSessionHandler(deps),
  'backOffice.me.password.change': changePasswordHandler(deps),
  'backOffice.me.totp.begin': beginTotpHandler(deps),
  'backOffice.me.totp.confirm': confirmTotpHandler(deps),
  'backOffice.me.totp.remove': removeOwnTotpHandler(deps),
  'backOffice.me.views.list': listViewsHandler(deps),
  'backOffice.me.views.save': saveViewHandler(deps),
  'backOffice.me.views.delete': deleteViewHandler(deps),
});
