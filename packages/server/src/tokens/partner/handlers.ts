import {
  type AuthorizationServerMetadata,
  type IntrospectionResponse,
  type LoginResponse,
  partnerScopes,
  type TokenResponse,
} from '@servery/contract';
import { isScope, orderedScopes } from '../../clients/clients.ts';
import { ApiError } from '../../http/errors.ts';
import type { Answer, OperationHandlers, PublicRequest } from '../../http/operation.ts';
import { TokenRefused } from '../access-tokens.ts';
import { bearerChallenge } from '../bearer.ts';
import { type Form, readClientCredentials, readForm } from '../client-authentication.ts';
import { type InspectTokenDeps, inspectToken } from '../inspect-token.ts';
import { type IssuedToken, type IssueTokenDeps, issueToken, secondsLeftOf } from '../issue-token.ts';
import { audience, issuerIdentifier } from '../issuer.ts';
import { type LetIn, type LogInDeps, logIn, logInAgain, type Proof } from '../log-in.ts';
import { readLoginRequest } from '../login-request.ts';
import { noStore, OAuthRefused } from '../oauth-refused.ts';
import { revokeToken } from '../revoke-token.ts';

/** What the token service needs. `createAuth` makes it. */
export type AuthDeps = LogInDeps & IssueTokenDeps & InspectTokenDeps;

/** The operations of the token service. */
export type AuthOperationId =
  | 'auth.login'
  | 'auth.token'
  | 'auth.metadata'
  | 'auth.jwks'
  | 'auth.introspect'
  | 'auth.revoke';

// Well within the day that a new signing key is published before it signs.
const PUBLIC_FOR_AN_HOUR = { 'cache-control': 'public, max-age=3600' } as const;
const AUTHENTICATION_METHODS = ['client_secret_basic', 'client_secret_post'];

/** The handlers of the login (AUTH-1 to AUTH-4) and of the standard doors beside it (AUTH-6). */
export function authHandlers(deps: AuthDeps): Pick<OperationHandlers, AuthOperationId> {
  return {
    'auth.login': (request) => answerLogin(deps, request),
    'auth.token': (request) => standardDoor(request, (form) => answerToken(deps, request, form)),
    'auth.introspect': (request) =>
      standardDoor(request, (form) => answerIntrospection(deps, request, form)),
    'auth.revoke': (request) =>
      standardDoor(request, (form) => answerRevocation(deps, request, form)),
    'auth.metadata': async () => ({ json: metadata(deps), headers: PUBLIC_FOR_AN_HOUR }),
    'auth.jwks': async ({ nowMs }) => ({
      json: { keys: await deps.signingKeys.published(nowMs) },
      headers: PUBLIC_FOR_AN_HOUR,
    }),
  };
}

async function answerLogin(deps: AuthDeps, { body, nowMs }: PublicRequest): Promise<Answer> {
  const credentials = readLoginRequest(body, deps.issuer.brand);
  const loggedIn = await logIn(deps, credentials, '', nowMs);
  if (!loggedIn) {
    throw new ApiError(
      'unauthorized',
      'The clientId or the clientSecret is wrong: check both, and that the account still lives.',
      { headers: { ...noStore, 'www-authenticate': bearerChallenge() } },
    );
  }
  const { client, secret, proof } = loggedIn;
  const request = { client, secretGuid: secret.guid, narrowedTo: '' };
  const token = await issueToken(deps, request, secret, nowMs);
  return { ...loginAnswer(token), repeat: repeatedLogin(deps, proof, token) };
}

/** The same login again: the same token, as long as the same secret opens the same grant. */
function repeatedLogin(deps: AuthDeps, proof: Proof, { accessToken, jti }: IssuedToken) {
  let last: { readonly seconds: number; readonly answer: Answer } | null = null;
  return (nowMs: number): Answer | null => {
    const letIn = logInAgain(deps, proof, nowMs);
    const seconds = letIn && secondsLeftOf(deps.issuer, letIn, jti, nowMs);
    if (seconds === null) return null;
    deps.secretUses?.noteSecret(proof.clientId, proof.digest, nowMs);
    if (last?.seconds !== seconds) {
      const answer = loginAnswer({ accessToken, expiresInSeconds: seconds });
      last = { seconds, answer };
    }
    return last.answer;
  };
}

function loginAnswer({
  accessToken,
  expiresInSeconds,
}: Pick<IssuedToken, 'accessToken' | 'expiresInSeconds'>): Answer {
  const json: LoginResponse = {
    '@class': '.SuccessfulResponse',
    token: {
      tokenType: 'Bearer',
      scope: null,
      expiresIn: expiresInSeconds,
      accessToken,
      idToken: null,
      refreshToken: null,
    },
    status: 'SUCCESS',
  };
  return { json, headers: noStore };
}

/** Runs a door that takes a form and answers errors in the form of RFC 6749 section 5.2. */
async function standardDoor(
  request: PublicRequest,
  answer: (form: Form) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await answer(readForm(request.body));
  } catch (error) {
    if (error instanceof OAuthRefused) return error.toAnswer();
    throw error;
  }
}

async function logInClient(
  deps: AuthDeps,
  request: PublicRequest,
  form: Form,
  narrowedTo = '',
): Promise<LetIn> {
  const credentials = readClientCredentials(request.headers.authorization, form);
  const loggedIn = await logIn(deps, credentials, narrowedTo, request.nowMs);
  if (loggedIn) return loggedIn;
  throw new OAuthRefused('invalid_client', 'The client_id or the client_secret is wrong.');
}

async function answerToken(deps: AuthDeps, request: PublicRequest, form: Form): Promise<Answer> {
  const asked = readScopes(form.scope);
  const { client, secret } = await logInClient(deps, request, form, asked ?? '');
  if (form.grant_type === undefined) {
    throw new OAuthRefused(
      'invalid_request',
      'The grant_type is missing: send client_credentials.',
    );
  }
  if (form.grant_type !== 'client_credentials') {
    throw new OAuthRefused('unsupported_grant_type', 'The grant_type must be client_credentials.');
  }
  const held = client.scopes.join(' ');
  const isMissing = (scope: string) => !(client.scopes as readonly string[]).includes(scope);
  if (asked === null || asked.split(' ').filter(Boolean).some(isMissing)) {
    throw new OAuthRefused('invalid_scope', 'A scope that was asked for is not one of the client.');
  }
  // Asking for everything is the plain login, so that both doors give one token.
  const isWhole = asked === '' || asked === held;
  const narrowedTo = isWhole ? '' : asked;
  const token = await issueToken(
    deps,
    { client, secretGuid: secret.guid, narrowedTo },
    // What was read is about the scopes asked for.
    narrowedTo === asked ? secret : null,
    request.nowMs,
  );
  const json: TokenResponse = {
    access_token: token.accessToken,
    token_type: 'Bearer',
    expires_in: token.expiresInSeconds,
    scope: isWhole ? held : asked,
  };
  return { json, headers: noStore };
}

/** The scopes asked for, sorted, without repeats; empty for none, null when one does not exist. */
function readScopes(scope: string | undefined): string | null {
  if (scope === undefined) return '';
  const names = scope.split(' ').filter(Boolean);
  return names.every(isScope) ? orderedScopes(names).join(' ') : null;
}

async function answerIntrospection(
  deps: AuthDeps,
  request: PublicRequest,
  form: Form,
): Promise<Answer> {
  const { client } = await logInClient(deps, request, form);
  const token = readToken(form);
  const json = await introspect(deps, client.clientId, token, request.nowMs);
  return { json, headers: noStore };
}

/** What a client may know of a token: all of its own, and of another's not even that it lives. */
async function introspect(
  deps: AuthDeps,
  clientId: string,
  token: string,
  nowMs: number,
): Promise<IntrospectionResponse> {
  try {
    const { claims, scopes } = await inspectToken(deps, token, nowMs);
    if (claims.clientId !== clientId) return { active: false };
    return {
      active: true,
      scope: scopes.join(' '),
      client_id: claims.clientId,
      token_type: 'Bearer',
      exp: claims.expiresAt,
      iat: claims.issuedAt,
      sub: claims.subject,
      aud: audience(deps.issuer),
      iss: issuerIdentifier(deps.issuer),
      jti: claims.jti,
    };
  } catch (error) {
    if (error instanceof TokenRefused) return { active: false };
    throw error;
  }
}

async function answerRevocation(
  deps: AuthDeps,
  request: PublicRequest,
  form: Form,
): Promise<Answer> {
  const { client } = await logInClient(deps, request, form);
  await revokeToken(deps, client.clientId, readToken(form), request.nowMs);
  return { json: {}, headers: noStore };
}

function readToken(form: Form): string {
  if (form.token !== undefined) return form.token;
  throw new OAuthRefused('invalid_request', 'The token is missing: send it as the field token.');
}

/** RFC 8414: every door by its whole address. */
function metadata(deps: AuthDeps): AuthorizationServerMetadata {
  const base = deps.issuer.baseUrl();
  return {
    issuer: issuerIdentifier(deps.issuer),
    token_endpoint: `${base}/oauth/token`,
    jwks_uri: `${base}/.well-known/jwks.json`,
    introspection_endpoint: `${base}/oauth/introspect`,
    revocation_endpoint: `${base}/oauth/revoke`,
    // What partners may ask for; the back office is not announced to everybody (RFC 8414, 2).
    scopes_supported: [...partnerScopes],
    response_types_supported: [],
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: AUTHENTICATION_METHODS,
    introspection_endpoint_auth_methods_supported: AUTHENTICATION_METHODS,
    revocation_endpoint_auth_methods_supported: AUTHENTICATION_METHODS,
  };
}
