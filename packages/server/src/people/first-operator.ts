import type { Clock } from '@servery/support/clock.ts';
import { newGuid } from '@servery/support/ids.ts';
import type { ChangeOrigin } from '../audit/entry-store.ts';
import { systemOrigin } from '../audit/origin.ts';
import type { Sql } from '../database/database.ts';
import type { PeopleDeps } from './administer.ts';
import { deleteTotp } from './credential-store.ts';
import { type Invitation, invitationUrl, invite } from './invitations.ts';
import { findGuidOfEmail, findHeldPerson, findPerson } from './person-list-store.ts';
import { findHasOperator, insertPerson, insertRole } from './person-store.ts';
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
  const link = await inviteFirstOperator(deps, systemOrigin(deps, 'start', 'start'));
  if (link === 'told') {
    onProgress(
      'the link for the first operator was told before: servery people link makes another',
    );
  }
  if (link === 'told' || link === 'needless') return '';
  return `
Nobody can run this platform yet. This link makes the first operator. It opens
once, until ${link.expiresAt.toISOString()}, and is not shown again:

${invitationUrl(baseUrl, link)}

`;
}

/** `needless` when there is an operator, `told` when an earlier link is still valid. */
async function inviteFirstOperator(
  deps: PeopleDeps,
  origin: ChangeOrigin,
): Promise<MadeLink | 'needless' | 'told'> {
  return await deps.database.transaction(async (sql) => {
    if (await findHasOperator(sql)) return 'needless';
    const guid = await ensurePlaceholder(deps, sql, origin);
    // A process that waited finds the other's link here.
    const person = await findPerson(sql, guid, new Date(deps.realClock.nowMs()));
    return person?.invitedUntil ? 'told' : await makeLink(deps, sql, guid, origin);
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
        throw new NoLink('Somebody can run the platform already: say whose link it shall be.');
      }
      return await makeLink(deps, sql, await ensurePlaceholder(deps, sql, origin), origin);
    }
    const guid = await findGuidOfEmail(sql, email);
    if (guid === null) throw new NoLink(`Nobody has the e-mail address ${email}.`);
    if (removesTotp) {
      await deleteTotp(sql, guid);
      await deleteSessions(sql, guid, { exceptGuid: null });
    }
    return await makeLink(deps, sql, guid, origin);
  });
}

/** Locked until the transaction ends. */
async function ensurePlaceholder(
  { realClock }: PeopleDeps,
  sql: Sql,
  origin: ChangeOrigin,
): Promise<string> {
  const now = new Date(realClock.nowMs());
  const guid = newGuid();
  const person = { guid, email: PLACEHOLDER, name: 'First operator', createdAt: now };
  if (!(await insertPerson(sql, person))) return (await findGuidOfEmail(sql, PLACEHOLDER)) ?? guid;
  const place = { managementGroupGuid: null, restaurantGuid: null, partnerGuid: null };
  const role = { role: 'OPERATOR', ...place, guid: newGuid() } as const;
  await insertRole(sql, guid, { ...role, givenAt: now, givenBy: origin.by });
  const after = await findPerson(sql, guid, now);
  if (after) await recordPerson(sql, origin, null, after);
  return guid;
}

async function makeLink(
  deps: PeopleDeps,
  sql: Sql,
  personGuid: string,
  origin: ChangeOrigin,
): Promise<MadeLink> {
  const now = new Date(deps.realClock.nowMs());
  const before = await findHeldPerson(sql, personGuid, now);
  if (!before) throw new NoLink('The person is gone.');
  if (before.deactivatedAt) throw new NoLink(`${before.email} was deactivated: reactivate first.`);
  const choosesEmail = before.email === PLACEHOLDER;
  const invitation = await invite(deps, sql, { personGuid, by: origin.by, choosesEmail });
  const after = await findPerson(sql, personGuid, now);
  if (after) await recordPerson(sql, origin, before, after);
  return { ...invitation, email: choosesEmail ? null : before.email };
}
