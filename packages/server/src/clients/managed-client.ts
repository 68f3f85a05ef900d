import type { ClientType, Scope } from '@servery/contract';
import type { Vault } from '@servery/support/secret.ts';
import type { ChangeOrigin } from '../audit/entry-store.ts';
import type { Database, Sql } from '../database/database.ts';
import { ApiError } from '../http/errors.ts';
import { type Grant, isWithin, type Reach } from '../reach/reach.ts';
import { everywhere } from '../support/due-work.ts';
import {
  type ClientText,
  type ClientView,
  findClientView,
  findClientViewLocked,
  findIsGroup,
  findIsPartner,
  listHeldScopes,
  listSecretViews,
  type SecretView,
  updateClientText,
  updateOtherSecretsExpiry,
} from './client-view-store.ts';
import {
  addSecret,
  createClient,
  newClientId,
  orderedScopes,
  revokeSecret,
  setScopes,
} from './clients.ts';
import {
  type ClientPlace,
  placeOfClient,
  requireHeld,
  requireMayGive,
  scopeFaults,
} from './may-grant.ts';
import { recordClientChange } from './record-client.ts';
import { revokeAccount } from './revoke-account.ts';

/** What managing accounts needs. Each change is one transaction. */
export interface ManageClientsDeps {
  readonly database: Database;
  readonly vault: Vault;
  /**
   * Whether an account must not be ended: the sandbox does not start without its own. None when
   * absent.
   */
  readonly isKept?: (clientId: string) => Promise<boolean>;
}

/** What a caller that manages accounts may do, and where. */
export interface ClientAuthority {
  readonly grants: readonly Grant[];
  /** Where the caller holds the scope to change accounts. */
  readonly reach: Reach;
  readonly origin: ChangeOrigin;
}

/** An account with what may be known of its secrets. */
export interface ManagedClient extends ClientView {
  readonly secrets: readonly SecretView[];
}

/** A new secret, which nobody can read again, with its account as it is now. */
export interface IssuedSecret {
  readonly client: ManagedClient;
  readonly secretGuid: string;
  readonly clientSecret: string;
}

/** What is said of a new account. */
export interface ClientDraft extends ClientText {
  readonly type: ClientType;
  readonly partnerGuid: string | null;
  readonly managementGroupGuid: string | null;
  readonly scopes: readonly string[];
  readonly secret: SecretDraft;
}

/** What is said of a new secret. Instants are epoch milliseconds. */
export interface SecretDraft {
  readonly label: string | null;
  /** Null for never. */
  readonly expiresAtMs: number | null;
}

/** What is said of a further secret, and of those that live beside it. */
export interface NextSecretDraft extends SecretDraft {
  /** When those that live end at the latest; null when they go on. */
  readonly othersExpireAtMs: number | null;
}

/** What is to be different about an account; what is absent stays. */
export type ClientEdit = Partial<ClientText> & { readonly scopes?: readonly string[] };

/** Enough for a rotation in every place that an account is used in. */
const LIVE_SECRETS_AT_MOST = 10;

/**
 * Makes an account with a first secret. It takes a caller who manages its place and may give all
 * that it gets (ACC-1 to ACC-5). Throws ApiError `unprocessable` for an owner that
 * does not fit the kind, is unknown or out of reach, and for a scope of another kind, and
 * `forbidden` for what the caller may not give.
 */
export async function createManagedClient(
  deps: ManageClientsDeps,
  draft: ClientDraft,
  { grants, reach, origin }: ClientAuthority,
): Promise<IssuedSecret> {
  const place = await placeOf(deps.database.sql, draft, reach);
  const scopes = soundScopes({ type: draft.type, place }, draft.scopes);
  requireNoCardKey(draft.type, draft.holdsLegacyCardKey);
  const { secret, ...input } = draft;
  const clientId = newClientId();
  return await deps.database.transaction(async (sql) => {
    const given = { scopes, legacyCardKey: draft.holdsLegacyCardKey };
    await requireMayGive(grants, { type: draft.type, place }, given, () =>
      listHeldScopes(sql, draft.type, draft),
    );
    const issued = await recordClientChange(sql, origin, clientId, () =>
      createClient(
        { sql, vault: deps.vault },
        { ...input, clientId, scopes, secret: { ...secret, by: origin.by } },
        origin.at.getTime(),
      ),
    );
    return withClient(sql, clientId, issued);
  });
}

/**
 * Changes what is given of an account. Throws ApiError `notFound` for one out of reach, `conflict`
 * for one that was revoked, and what `createManagedClient` throws for scopes; those that the
 * account has already are nobody's grant.
 */
export async function editManagedClient(
  deps: ManageClientsDeps,
  clientId: string,
  edit: ClientEdit,
  authority: ClientAuthority,
): Promise<ManagedClient> {
  const { grants, origin } = authority;
  return await deps.database.transaction(async (sql) => {
    const client = await findLiveLocked(sql, clientId, authority);
    const holder = { type: client.type, place: placeOfClient(client) };
    const scopes = edit.scopes ? soundScopes(holder, edit.scopes) : client.scopes;
    const added = scopes.filter((scope) => !client.scopes.includes(scope));
    const { name, description, holdsLegacyCardKey } = { ...client, ...edit };
    requireNoCardKey(client.type, holdsLegacyCardKey);
    const legacyCardKey = holdsLegacyCardKey && !client.holdsLegacyCardKey;
    await requireMayGive(grants, holder, { scopes: added, legacyCardKey }, () =>
      listHeldScopes(sql, client.type, client),
    );
    await recordClientChange(sql, origin, clientId, async () => {
      await updateClientText(sql, clientId, { name, description, holdsLegacyCardKey });
      await setScopes({ sql }, clientId, scopes, origin.at.getTime());
    });
    return findManaged(sql, clientId, authority.reach);
  });
}

/**
 * Adds a secret beside those that live. The caller gets it and can act as the account, and so must
 * hold its back office scopes. Throws ApiError `notFound`, `forbidden`, and `conflict` for
 * an account that was revoked or has ten live secrets.
 */
export async function addManagedSecret(
  deps: ManageClientsDeps,
  clientId: string,
  { label, expiresAtMs, othersExpireAtMs }: NextSecretDraft,
  authority: ClientAuthority,
): Promise<IssuedSecret> {
  const { grants, origin } = authority;
  const nowMs = origin.at.getTime();
  return await deps.database.transaction(async (sql) => {
    const client = await findLiveLocked(sql, clientId, authority);
    requireHeld(grants, { type: client.type, place: placeOfClient(client) }, client.scopes);
    const live = (await listSecretViews(sql, [clientId])).filter((each) => isLive(each, nowMs));
    if (live.length >= LIVE_SECRETS_AT_MOST) {
      throw new ApiError(
        'conflict',
        `The account has ${live.length} live secrets already: revoke one that nobody needs.`,
      );
    }
    const issued = await recordClientChange(sql, origin, clientId, async () => {
      const input = { label, expiresAtMs, by: origin.by };
      const added = await addSecret({ sql, vault: deps.vault }, clientId, nowMs, input);
      const secret = { clientId, guid: added.secretGuid };
      if (othersExpireAtMs !== null) {
        await updateOtherSecretsExpiry(sql, secret, new Date(othersExpireAtMs));
      }
      return added;
    });
    return withClient(sql, clientId, issued);
  });
}

/**
 * Ends one secret at once; one that was revoked before stays as it is. Throws ApiError `notFound`
 * when the account is out of reach or has no such secret.
 */
export async function revokeManagedSecret(
  deps: ManageClientsDeps,
  clientId: string,
  secretGuid: string,
  { reach, origin }: ClientAuthority,
): Promise<ManagedClient> {
  return await deps.database.transaction(async (sql) => {
    if (!(await findClientViewLocked(sql, clientId, reach))) throw noSuchManagedClient();
    const secrets = await listSecretViews(sql, [clientId]);
    const secret = secrets.find(({ guid }) => guid === secretGuid);
    if (!secret) throw noSuchManagedClient();
    if (!secret.revokedAt) {
      await recordClientChange(sql, origin, clientId, () =>
        revokeSecret({ sql }, clientId, secretGuid, origin.at.getTime(), origin.by),
      );
    }
    return findManaged(sql, clientId, reach);
  });
}

/**
 * Ends an account with all of its secrets, tokens and webhook endpoints, at once (AUTH-9); one that was
 * revoked before stays as it is. Throws ApiError `notFound`, and `conflict` for one that is to be
 * kept.
 */
export async function revokeManagedClient(
  deps: ManageClientsDeps,
  clientId: string,
  { reach, origin }: ClientAuthority,
): Promise<ManagedClient> {
  const isKept = (await deps.isKept?.(clientId)) ?? false;
  return await deps.database.transaction(async (sql) => {
    const client = await findClientViewLocked(sql, clientId, reach);
    if (!client) throw noSuchManagedClient();
    if (isKept) {
      throw new ApiError(
        'conflict',
        'The account is one of the sandbox’s own, without which it does not start: create one ' +
          'of your own to try this with.',
      );
    }
    if (!client.revokedAt) await revokeAccount(sql, clientId, origin);
    return findManaged(sql, clientId, reach);
  });
}

/** An account within reach with what may be known of its secrets. Throws ApiError `notFound`. */
export async function findManaged(
  sql: Sql,
  clientId: string,
  reach: Reach,
): Promise<ManagedClient> {
  const client = await findClientView(sql, clientId, reach);
  if (!client) throw noSuchManagedClient();
  return { ...client, secrets: await listSecretViews(sql, [clientId]) };
}

/** Whether a secret logs in at an instant, as far as its account lives. */
export function isLive({ revokedAt, expiresAt }: SecretView, nowMs: number): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt.getTime() > nowMs);
}

/** The same words for an account or a secret that does not exist and for one out of reach. */
export function noSuchManagedClient(): ApiError {
  return new ApiError(
    'notFound',
    'There is no such API account, or no such secret of it, within your reach: check the path.',
  );
}

async function findLiveLocked(
  sql: Sql,
  clientId: string,
  { reach }: ClientAuthority,
): Promise<ClientView> {
  const client = await findClientViewLocked(sql, clientId, reach);
  if (!client) throw noSuchManagedClient();
  if (!client.revokedAt) return client;
  throw new ApiError(
    'conflict',
    'The account was revoked, and a revoked account does not come back: create another one.',
  );
}

async function withClient(
  sql: Sql,
  clientId: string,
  { secretGuid, clientSecret }: { readonly secretGuid: string; readonly clientSecret: string },
): Promise<IssuedSecret> {
  return { client: await findManaged(sql, clientId, everywhere), secretGuid, clientSecret };
}

/** Where the account is to stand. Unknown and out of reach sound the same. */
async function placeOf(sql: Sql, draft: ClientDraft, reach: Reach): Promise<ClientPlace> {
  const { type, partnerGuid, managementGroupGuid } = draft;
  const isPartner = type === 'PARTNER';
  if (isPartner !== (partnerGuid !== null)) {
    throw wrong('partnerGuid', 'must be there for a PARTNER account, and for no other');
  }
  if (isPartner ? managementGroupGuid !== null : type === 'CUSTOMER' && !managementGroupGuid) {
    throw wrong('managementGroupGuid', 'must be there for CUSTOMER, and not for PARTNER accounts');
  }
  const place = placeOfClient(draft);
  if (!isWithin(reach, place) && place.kind === 'platform') {
    throw new ApiError(
      'forbidden',
      'You do not reach the whole platform, so no account that you make can: send the ' +
        'managementGroupGuid of a group of yours.',
    );
  }
  const isKnown =
    place.kind === 'platform' ||
    (place.kind === 'partner'
      ? await findIsPartner(sql, place.guid)
      : await findIsGroup(sql, place.guid));
  if (isKnown && isWithin(reach, place)) return place;
  throw isPartner
    ? wrong('partnerGuid', 'names no partner within your reach')
    : wrong('managementGroupGuid', 'names no management group within your reach');
}

/** The scopes as they are stored. Throws ApiError `unprocessable` with every wrong one. */
function soundScopes(
  holder: { readonly type: ClientType; readonly place: ClientPlace },
  scopes: readonly string[],
): readonly Scope[] {
  const faults = scopeFaults(holder, scopes);
  if (faults.length === 0) return orderedScopes(scopes);
  const reasons = faults.map(({ where, message }) => `${where} ${message}`).join('; ');
  throw new ApiError('unprocessable', `${reasons}.`, { faults });
}

/** Accounts of the back office make no payments. */
function requireNoCardKey(type: ClientType, holdsLegacyCardKey: boolean): void {
  if (type === 'BACK_OFFICE' && holdsLegacyCardKey) {
    throw wrong('holdsLegacyCardKey', 'must not be true for a BACK_OFFICE account');
  }
}

function wrong(where: string, message: string): ApiError {
  return new ApiError('unprocessable', `${where} ${message}.`, { faults: [{ where, message }] });
}
