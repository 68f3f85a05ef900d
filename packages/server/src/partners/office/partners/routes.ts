import type { Partner, PartnerEventEntry } from '@servery/contract';
import type { Clock } from '@servery/support/clock.ts';
import { parseGuid } from '@servery/support/ids.ts';
import type { Vault } from '@servery/support/secret.ts';
import { originOf } from '../../../audit/origin.ts';
import { readKnownFields, readNeededWords, readOptionalWords } from '../../../http/body-fields.ts';
import { ApiError } from '../../../http/errors.ts';
import type { Fields } from '../../../http/fields.ts';
import { type ListPosition, readPageSize } from '../../../http/list-query.ts';
import type { BackOfficeRequest, OperationHandlers } from '../../../http/operation.ts';
import { answerPage } from '../../../http/page.ts';
import { pageTokens } from '../../../http/paging.ts';
import { readNameFilter } from '../../../http/read-query.ts';
import { isoTimestamp } from '../../../http/timestamps.ts';
import { listPartnerEvents, type PartnerEventRow } from '../../change-store.ts';
import {
  type ConnectionView,
  listPartnerConnections,
  type NamedPlace,
} from '../../connection-store.ts';
import { findPartner, listPartners, type PartnerRow } from '../../partner-store.ts';
import {
  createPartner,
  editPartner,
  noSuchPartner,
  type PartnerAdminDeps,
} from '../../partners.ts';
import { connectionOnWire } from '../connections/present.ts';

/** What the administration of partners leans on. */
export interface PartnerRouteDeps extends PartnerAdminDeps {
  readonly realClock: Clock;
  /** Authenticates page tokens. */
  readonly vault: Vault;
}

type Name = 'list' | 'create' | 'get' | 'update' | 'connections' | 'events';
type Handlers<Each extends Name> = Pick<OperationHandlers, `backOffice.partners.${Each}`>;

const NAME_LENGTH = 100;
const DESCRIPTION_LENGTH = 1_000;

const listNames = ['name', 'pageSize'] as const;
const connectionNames = ['pageSize'] as const;

/** The operations of the back office on partners. */
export function partnerAdminHandlers(deps: PartnerRouteDeps): Handlers<Name> {
  return {
    ...readingHandlers(deps),
    'backOffice.partners.create': async (request) => {
      const { name, description = null } = readKnownFields(request.body, (fields) => ({
        name: readNeededWords(fields, 'name', NAME_LENGTH),
        description: readOptionalWords(fields, 'description', DESCRIPTION_LENGTH),
      }));
      const authority = { reach: request.reach, origin: originOf(request, deps.realClock) };
      return { json: partnerOnWire(await createPartner(deps, { name, description }, authority)) };
    },
    'backOffice.partners.update': async (request) => {
      const edit = readKnownFields(request.body, readEdit);
      const authority = { reach: request.reach, origin: originOf(request, deps.realClock) };
      return { json: partnerOnWire(await editPartner(deps, guidOf(request), edit, authority)) };
    },
  };
}

function readingHandlers({
  database,
  vault,
}: PartnerRouteDeps): Handlers<'list' | 'get' | 'connections' | 'events'> {
  const { sql } = database;
  const listTokens = pageTokens<ListPosition<(typeof listNames)[number], NamedPlace>>(
    vault,
    'backOffice.partners',
  );
  const connectionTokens = pageTokens<ListPosition<(typeof connectionNames)[number], NamedPlace>>(
    vault,
    'backOffice.partners.connections',
  );
  return {
    'backOffice.partners.list': ({ query, reach }) =>
      answerPage(query, {
        names: listNames,
        tokens: listTokens,
        list: ({ name }, after, limit) =>
          listPartners(sql, { reach, name: readNameFilter(name) }, after, limit),
        placeOf: ({ name, guid }: PartnerRow) => ({ name, guid }),
        onWire: partnerOnWire,
      }),
    'backOffice.partners.get': async (request) => {
      const partner = await findPartner(sql, guidOf(request), request.reach);
      if (!partner) throw noSuchPartner();
      return { json: partnerOnWire(partner) };
    },
    'backOffice.partners.connections': async (request) => {
      const { reach, query } = request;
      const partner = await findPartner(sql, guidOf(request), reach);
      if (!partner) throw noSuchPartner();
      return answerPage(query, {
        names: connectionNames,
        tokens: connectionTokens,
        list: (_query, after, limit) =>
          listPartnerConnections(sql, { partnerGuid: partner.guid, reach }, after, limit),
        placeOf: (row: ConnectionView) => ({ name: row.restaurantName, guid: row.restaurantGuid }),
        onWire: connectionOnWire,
      });
    },
    'backOffice.partners.events': async (request) => {
      const { reach, query } = request;
      const partnerGuid = guidOf(request);
      const after = readPosition(query.after);
      const pageSize = readPageSize(query.pageSize);
      // Events tell of restaurants of all groups: who reaches some of them alone reads no events.
      const isReached = reach.isPlatform || reach.partnerGuids.includes(partnerGuid);
      const partner = isReached ? await findPartner(sql, partnerGuid, reach) : null;
      if (!partner) throw noSuchPartner();
      const events = await listPartnerEvents(sql, partnerGuid, after, pageSize);
      const lastPosition = events.at(-1)?.position ?? after;
      return { json: { results: events.map(eventOnWire), lastPosition } };
    },
  };
}

function readEdit(fields: Fields): Partial<Pick<PartnerRow, 'name' | 'description'>> {
  const description = readOptionalWords(fields, 'description', DESCRIPTION_LENGTH);
  return {
    ...(fields.lacks('name') ? {} : { name: readNeededWords(fields, 'name', NAME_LENGTH) }),
    ...(description === undefined ? {} : { description }),
  };
}

function guidOf({ params }: BackOfficeRequest): string {
  const guid = parseGuid(params.partnerGuid ?? '');
  if (guid === null) throw noSuchPartner();
  return guid;
}

function readPosition(text: string | undefined): number {
  if (text === undefined) return 0;
  const position = /^\d{1,16}$/.test(text) ? Number(text) : -1;
  if (Number.isSafeInteger(position) && position >= 0) return position;
  throw new ApiError('badRequest', 'after must be a position: a whole number from 0.');
}

function partnerOnWire({ guid, name, description, createdAt }: PartnerRow): Partner {
  return { guid, name, description, createdAt: isoTimestamp(createdAt) };
}

function eventOnWire({ position, guid, type, at, payload }: PartnerEventRow): PartnerEventEntry {
  const timestamp = isoTimestamp(at);
  const event = { timestamp, eventCategory: 'partner', eventType: type, guid, details: payload };
  return { position, event: { ...event, eventCategory: 'partner' } };
}
