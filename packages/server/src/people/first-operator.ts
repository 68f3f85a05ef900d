import type { Clock } from '@servery/support/clock.ts';
import { newGuid } from '@servery/support/ids.ts';
import type { ChangeOrigin } from '../audit/entry-store.ts';
import { systemOrigin } from '../audit/origin.ts';
import type { Sql } from '../database/database.ts';
import { deleteTotp } from './credential-store.ts';
import { type Invitation, invitationUrl, invite } from './invitations.ts';
import type { PeopleDeps } from './people-deps.ts';
import {
  findGuidOfEmail,
  findHasOperator,
  findHeldPerson,
  findPerson,
  insertPerson,
  insertRole,
} from './person-store.ts';
import { recordPerson } from './record-person.ts';
import { deleteSessions } from './session-store.ts';

/**
 * Stands for the first operator, who chooses the real address with the link. Its unique key makes
 * concurrent processes create only one link.
 */
const PLACEHOLDER = 'first.operator@localhost';

export interface MadeLink extends Invitation {
  readonly email: string | null;
}

export class NoLink extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NoLink';
  }
}

export interface LinkRequest {
  readonly email: string | null;
  readonly removesTotp?: boolean;
}

/**
 * Shows the link once and stores only its digest. Empty while an earlier link is still valid, or
 * when there is an operator.
 */
export async function announceFirstOperator(
  deps: PeopleDeps & { readonly clock: Clock },
  baseUrl: string,
  onProgress: (line: string) => void,
): Promise<string> {
  const origin = systemOrigin(deps, 'start', 'start');
  return await deps.database.transaction(async (sql) => {
    if (await findHasOperator(sql)) return '';
    const guid = await ensurePlaceholder(sql, origin);
    // A process that waited finds the other's link here.
    const person = await findPerson(sql, guid, origin.realAt);
    if (person?.invitedUntil) {
      onProgress(
        'the link for the first operator was shown before: servery people link creates another',
      );
      return '';
    }
    const link = await makeLink(deps, sql, guid, origin);
    return `
Nobody can run this platform yet. This link creates the first operator. It works
once, until ${link.expiresAt.toISOString()}, and is not shown again:

${invitationUrl(baseUrl, link)}

`;
  });
}

/**
 * For people with access to the machine; replaces earlier links. Throws NoLink, whose message says
 * what to do.
 */
export async function makeLinkOnMachine(
  deps: PeopleDeps,
  { email, removesTotp = false }: LinkRequest,
  origin: ChangeOrigin,
): Promise<MadeLink> {
  return await deps.database.transaction(async (sql) => {
    if (email === null) {
      if (await findHasOperator(sql)) {
        throw new NoLink('The platform already has an operator: say whose link to create.');
      }
      return await makeLink(deps, sql, await ensurePlaceholder(sql, origin), origin);
    }
    const guid = await findGuidOfEmail(sql, email);
    if (guid === null) throw new NoLink(`Nobody has the email address ${email}.`);
    if (removesTotp) {
      await deleteTotp(sql, guid);
      await deleteSessions(sql, guid);
    }
    return await makeLink(deps, sql, guid, origin);
  });
}

/** Locked until the transaction ends. */
async function ensurePlaceholder(sql: Sql, origin: ChangeOrigin): Promise<string> {
  const guid = newGuid();
  const { realAt: now, by } = origin;
  const person = { guid, email: PLACEHOLDER, name: 'First operator', createdAt: now };
  if (!(await insertPerson(sql, person))) return (await findGuidOfEmail(sql, PLACEHOLDER)) ?? guid;
  const place = { managementGroupGuid: null, restaurantGuid: null, partnerGuid: null };
  const role = { guid: newGuid(), role: 'OPERATOR', ...place } as const;
  await insertRole(sql, guid, { ...role, givenAt: now, givenBy: by });
  await recordPerson(sql, origin, guid, null);
  return guid;
}

async function makeLink(
  deps: PeopleDeps,
  sql: Sql,
  guid: string,
  origin: ChangeOrigin,
): Promise<MadeLink> {
  const before = await findHeldPerson(sql, guid, origin.realAt);
  if (!before) throw new NoLink('The person is gone.');
  if (before.deactivatedAt) throw new NoLink(`${before.email} was deactivated: reactivate first.`);
  const choosesEmail = before.email === PLACEHOLDER;
  const invitation = await invite(deps, sql, guid, origin, choosesEmail);
  await recordPerson(sql, origin, guid, before);
  return { ...invitation, email: choosesEmail ? null : before.email };
}
