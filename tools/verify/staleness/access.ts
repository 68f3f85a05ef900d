import { type Claim, claim, type Watched } from './claim.ts';
import type { Account, Place, Token } from './fixture.ts';

/** Who asks, with which token, at which restaurant, for what. */
export interface Asker {
  readonly account: Account;
  readonly token: Token;
  /** Null for operations without a restaurant. */
  readonly place: Place | null;
  readonly scope: string | null;
  /** True where an archived restaurant may be named, to be told that it is archived. */
  readonly allowsArchived: boolean;
}

/** Everything that rights hang on. */
export function watchedRights({ account, place, token }: Asker): Watched[] {
  const connection = place && account.partner?.connections.get(place.guid);
  return [
    account.client,
    token.life,
    ...(place ? [place.info] : []),
    ...(connection ? [connection] : []),
  ];
}

/** What an answer says that is no refusal: every right was there. */
export function claimsOfEntry(asker: Asker): Claim[] {
  const { account, token, place, scope, allowsArchived } = asker;
  return [
    claim(account.client, `${account.name} lives and holds ${scope}`, ({ isRevoked, scopes }) => {
      return !isRevoked && (scope === null || scopes.includes(scope));
    }),
    claim(token.life, 'the token lives', ({ isRevoked }) => !isRevoked),
    ...(place ? claimsOfReach(asker, place, true) : []),
    ...(place && !allowsArchived ? [claimOfArchive(place, false)] : []),
  ];
}

/** What a refusal says; null when it is none that is explained by what changes here. */
export function claimsOfRefusal(asker: Asker, status: number, text: string): Claim[] | null {
  const { account, token, place, scope } = asker;
  const { client } = account;
  const isDead = claim(client, `${account.name} is revoked`, ({ isRevoked }) => isRevoked);
  if (status === 401) {
    if (text.includes('API account of the access token was revoked')) return [isDead];
    if (!text.includes('access token was revoked')) return null;
    return [claim(token.life, 'the token is revoked', ({ isRevoked }) => isRevoked)];
  }
  if (status !== 403 || !place) return null;
  if (text.includes('is not connected to this client')) return claimsOfReach(asker, place, false);
  const reached = claimsOfReach(asker, place, true);
  if (text.includes('is archived and serves nothing')) {
    return [...reached, claimOfArchive(place, true)];
  }
  if (!text.includes(`lacks the scope ${scope},`)) return null;
  const said = `${account.name} lacks ${scope}`;
  return [
    ...reached,
    ...(asker.allowsArchived ? [] : [claimOfArchive(place, false)]),
    claim(client, said, ({ scopes }) => scope !== null && !scopes.includes(scope)),
  ];
}

function claimsOfReach({ account }: Asker, place: Place, isReached: boolean): Claim[] {
  const { partner, groupGuid } = account;
  const said = `${account.name} reaches ${place.tag}: ${isReached}`;
  const connection = partner?.connections.get(place.guid);
  if (connection) return [claim(connection, said, ({ isOn }) => isOn === isReached)];
  return [claim(place.info, said, (state) => (state.groupGuid === groupGuid) === isReached)];
}

/** Says whether a restaurant is archived. */
export function claimOfArchive({ tag, info }: Place, wanted: boolean): Claim {
  return claim(info, `${tag} archived: ${wanted}`, ({ isArchived }) => isArchived === wanted);
}
