import { parseGuid } from '@servery/support/ids.ts';
import { originOf } from '../../audit/origin.ts';
import { ApiError } from '../../http/errors.ts';
import type { ListPosition } from '../../http/list-query.ts';
import {
  type Answer,
  type BackOfficeRequest,
  grantsOf,
  type OperationHandlers,
} from '../../http/operation.ts';
import { answerPage } from '../../http/page.ts';
import { pageTokens } from '../../http/paging.ts';
import { addPerson } from '../add-person.ts';
import { type Administrator, noSuchPerson, type PeopleDeps, requirePerson } from '../administer.ts';
import {
  deactivatePerson,
  editPerson,
  invitePerson,
  reactivatePerson,
  removeTotpOf,
} from '../edit-person.ts';
import { listPeople, type PersonPlace, type PersonRow } from '../person-list-store.ts';
import { giveRole, takeRole } from '../roles.ts';
import { type InvitationRouteDeps, invitationHandlers } from './invitation-routes.ts';
import { ownAccountHandlers } from './own-account-routes.ts';
import { invitedOnWire, personOnWire } from './on-wire.ts';
import { readCreatePerson, readGiveRole, readUpdatePerson } from './read-body.ts';
import { type SessionRouteDeps, sessionHandlers } from './answer-session.ts';

/** What the back office’s view of people leans on. */
export type PeopleRouteDeps = PeopleDeps & InvitationRouteDeps & SessionRouteDeps;

type PeopleOperationId = Extract<keyof OperationHandlers, `backOffice.people.${string}`>;
type OwnOperationId = Extract<
  keyof OperationHandlers,
  `backOffice.${'session' | 'sessions' | 'invitations' | 'me'}.${string}`
>;

/** The operations on people, their roles, sessions and invitations. */
export function peopleHandlers(
  deps: PeopleRouteDeps,
): Pick<OperationHandlers, PeopleOperationId | OwnOperationId> {
  return {
    ...administrationHandlers(deps),
    ...sessionHandlers(deps),
    ...invitationHandlers(deps),
    ...ownAccountHandlers(deps),
  };
}

/** The query parameters that say what a list holds. */
const parameters = ['active', 'pageSize'] as const;

type PeoplePosition = ListPosition<(typeof parameters)[number], PersonPlace>;

function administrationHandlers(deps: PeopleDeps): Pick<OperationHandlers, PeopleOperationId> {
  const tokens = pageTokens<PeoplePosition>(deps.vault, 'backOffice.people');
  const change = (make: ChangeOfPerson) => (request: BackOfficeRequest) =>
    answerChange(deps, request, make);
  return {
    'backOffice.people.list': ({ query: sent, reach }) =>
      answerPage(sent, {
        names: parameters,
        tokens,
        list: (query, after, limit) => {
          const now = new Date(deps.realClock.nowMs());
          const filter = { reach, isActive: readActive(query.active), now };
          return listPeople(deps.database.sql, filter, after, limit);
        },
        placeOf: ({ name, guid }) => ({ name, guid }),
        onWire: (person) => personOnWire(person, reach),
      }),
    'backOffice.people.create': async (request) => {
      const input = readCreatePerson(request.body);
      const added = await addPerson(deps, administratorOf(deps, request), input);
      return { json: invitedOnWire(added, request.reach, request.baseUrl) };
    },
    'backOffice.people.get': async ({ params, reach }) => {
      const person = await requirePerson(deps, reach, guidOf(params.personGuid));
      return { json: personOnWire(person, reach) };
    },
    'backOffice.people.update': change((who, guid, { body }) =>
      editPerson(deps, who, guid, readUpdatePerson(body)),
    ),
    'backOffice.people.deactivate': change((who, guid) => deactivatePerson(deps, who, guid)),
    'backOffice.people.reactivate': change((who, guid) => reactivatePerson(deps, who, guid)),
    'backOffice.people.removeTotp': change((who, guid) => removeTotpOf(deps, who, guid)),
    'backOffice.people.invite': async (request) => {
      const guid = guidOf(request.params.personGuid);
      const invited = await invitePerson(deps, administratorOf(deps, request), guid);
      return { json: invitedOnWire(invited, request.reach, request.baseUrl) };
    },
    'backOffice.people.roles.give': change((who, guid, { body }) =>
      giveRole(deps, who, guid, readGiveRole(body)),
    ),
    'backOffice.people.roles.take': change((who, personGuid, { params }) =>
      takeRole(deps, who, { personGuid, roleGuid: guidOf(params.roleGuid) }),
    ),
  };
}

type ChangeOfPerson = (
  administrator: Administrator,
  personGuid: string,
  request: BackOfficeRequest,
) => Promise<PersonRow>;

async function answerChange(
  deps: PeopleDeps,
  request: BackOfficeRequest,
  make: ChangeOfPerson,
): Promise<Answer> {
  const guid = guidOf(request.params.personGuid);
  const person = await make(administratorOf(deps, request), guid, request);
  return { json: personOnWire(person, request.reach) };
}

function administratorOf({ realClock }: PeopleDeps, request: BackOfficeRequest): Administrator {
  const { caller, reach } = request;
  return {
    reach,
    grants: grantsOf(caller),
    personGuid: caller.type === 'PERSON' ? caller.personGuid : null,
    origin: originOf(request, realClock),
  };
}

/** Text that is no GUID names nobody. */
function guidOf(text: string | undefined): string {
  const guid = parseGuid(text ?? '');
  if (guid === null) throw noSuchPerson();
  return guid;
}

function readActive(text: string | undefined): boolean | null {
  if (text === undefined) return null;
  if (text === 'true' || text === 'false') return text === 'true';
  throw new ApiError('badRequest', 'active must be true or false.');
}
