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
 * Stands for the first operator until the link is used, with which the real address is chosen. Its
 * key makes that of several processes that start at once one makes the link.
 */
const PLACEHOLDER = 'first.operator@localhost';

/** A link, and for whom it is: null for the first operator. */
export interface MadeLink extends Invitation {
  readonly email: string | null;
}

/** Why no link was made. */
export class NoLink extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NoLink';
  }
}

/** For whom a link is made on the machine of the platform. */
export interface LinkRequest {
  /** As `readEmail` gives it; null for the first operator. */
  readonly email: string | null;
  /** True to remove the person's authenticator app, and end the sessions, too. */
  readonly removesTotp?: boolean;
}

/**
 * What the terminal shows when nobody can run the platform yet: a link for the first operator. It
 * is told once, and stored as a digest only: while one that was told still opens, and when there is
 * an operator, this is empty. `baseUrl` is what a browser calls the platform by.
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

/**
 * The link for the first operator; `needless` when somebody can run the platform already, `told`
 * when a link was made before that still opens.
 */
async function inviteFirstOperator(
  deps: PeopleDeps,
  origin: ChangeOrigin,
): Promise<MadeLink | 'needless' | 'told'> {
  return await deps.database.transaction(async (sql) => {
    if (await findHasOperator(sql)) return 'needless';
    const guid = await ensurePlaceholder(deps, sql, origin);
    // A process that waited for another one finds its link here.
    const person = await findPerson(sql, guid, new Date(deps.realClock.nowMs()));
    return person?.invitedUntil ? 'told' : await makeLink(deps, sql, guid, origin);
  });
}

/**
 * Makes a link for somebody with access to the machine, in place of earlier ones: for the first
 * operator while nobody can run the platform, later for the person with that e-mail address. Throws
 * NoLink, whose message says what to do.
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

/** The placeholder, held until the transaction ends, made with its role when it is missing. */
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
