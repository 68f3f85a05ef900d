// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Pieces of code stand here as text.
import type { Defect } from '../defect.ts';

const SOURCE = 'packages/server/src/auth';
const TESTS = 'packages/server/test/auth';

/** Defects of the token service: doors that open to the wrong ones, or for too long. */
export const authDefects: readonly Defect[] = [
  {
    name: 'auth-secret-unchecked',
    file: `${SOURCE}/log-in.ts`,
    find: '  const secret = findSecretOf(digest, alive);',
    replace: '  const secret = alive[0];',
    why: 'Whoever knows a client id could log in.',
    caughtBy: { file: `${TESTS}/login.test.ts`, name: /T1: wrong id, wrong secret, revoked/ },
  },
  {
    name: 'auth-secret-in-first-place-only',
    file: `${SOURCE}/clients.ts`,
    find: 'if (timingSafeEqual(digest, stored.digest)) found = stored;',
    replace: 'found = timingSafeEqual(digest, stored.digest) ? stored : null;',
    why: 'Of two secrets that live side by side only the last would open.',
    caughtBy: { file: `${TESTS}/login.test.ts`, name: /T1: several secrets live side by side/ },
  },
  {
    name: 'auth-unknown-id-is-faster',
    file: `${SOURCE}/log-in.ts`,
    find: 'const clientId = isClientId(credentials.clientId) ? credentials.clientId : NOBODY;',
    replace: 'const { clientId } = credentials;\n  if (!isClientId(clientId)) return null;',
    why: 'The time of a refusal would tell which ids can exist.',
    caughtBy: { file: `${TESTS}/login.test.ts`, name: /T1: a wrong id costs the same work/ },
  },
  {
    name: 'auth-revoked-client-accepted',
    file: `${SOURCE}/inspect-token.ts`,
    find: 'if (!found || found.client.revoked)',
    replace: 'if (!found)',
    why: 'An account that was shut would go on until its token expires.',
    caughtBy: { file: `${TESTS}/authenticate.test.ts`, name: /T9: a revoked account is refused/ },
  },
  {
    name: 'auth-revoked-client-logs-in',
    file: `${SOURCE}/log-in.ts`,
    find: 'state && secret && !state.client.revoked ?',
    replace: 'state && secret ?',
    why: 'An account that was shut could log in again.',
    caughtBy: { file: `${TESTS}/login.test.ts`, name: /T1: wrong id, wrong secret, revoked/ },
  },
  {
    name: 'auth-revoked-token-accepted',
    file: `${SOURCE}/inspect-token.ts`,
    find: "if (found.tokenRevoked) throw new TokenRefused('revoked');",
    replace: '',
    why: 'A token that leaked could not be stopped.',
    caughtBy: { file: `${TESTS}/standard-doors.test.ts`, name: /T6: a revoked token is dead/ },
  },
  {
    name: 'auth-foreign-token-revoked',
    file: `${SOURCE}/revoke-token.ts`,
    find: 'if (claims.clientId !== clientId) {',
    replace: 'if (false) {',
    why: 'One client could end the token of another.',
    caughtBy: { file: `${TESTS}/standard-doors.test.ts`, name: /T6: the token of another client/ },
  },
  {
    name: 'auth-scopes-from-token',
    file: `${SOURCE}/issuer.ts`,
    find: "narrowedTo: isNarrowed ? new Set(scope.split(' ')) : null,",
    replace: "narrowedTo: new Set(scope.split(' ')),",
    why: 'A scope that was granted would be of use only a day later.',
    caughtBy: { file: `${TESTS}/authenticate.test.ts`, name: /T9: changed scopes are in force/ },
  },
  {
    name: 'auth-removed-scope-kept',
    file: `${SOURCE}/inspect-token.ts`,
    find: '? client.scopes.filter((scope) => narrowedTo.has(scope))',
    replace: '? [...narrowedTo]',
    why: 'A narrowed token would keep a scope that was taken away from its account.',
    caughtBy: { file: `${TESTS}/authenticate.test.ts`, name: /T9: a narrowed token does no more/ },
  },
  {
    name: 'auth-narrowed-token-widened',
    file: `${SOURCE}/inspect-token.ts`,
    find: '? client.scopes.filter((scope) => narrowedTo.has(scope))',
    replace: '? client.scopes',
    why: 'A token that was made to read only could write.',
    caughtBy: { file: `${TESTS}/authenticate.test.ts`, name: /T9: a narrowed token does no more/ },
  },
  {
    name: 'auth-algorithm-none',
    file: `${SOURCE}/access-tokens.ts`,
    find: 'const kid = readKid(token);',
    replace: `if (decodeProtectedHeader(token).alg === 'none') {
      const text = Buffer.from(token.split('.')[1], 'base64url').toString();
      return readClaims(this.#issuer, JSON.parse(text));
    }
    const kid = readKid(token);`,
    why: 'Anybody could write a token.',
    caughtBy: {
      file: `${TESTS}/authenticate.test.ts`,
      name: /T5: algorithm confusion and foreign/,
    },
  },
  {
    name: 'auth-signature-unchecked',
    file: `${SOURCE}/access-tokens.ts`,
    find: '({ payload } = await compactVerify(token, key.publicKey, { algorithms: [ALGORITHM] }));',
    replace: "payload = Buffer.from(token.split('.')[1], 'base64url');",
    why: 'Anybody who has seen a token could write another.',
    caughtBy: { file: `${TESTS}/authenticate.test.ts`, name: /T5: each kind of dead token/ },
  },
  {
    name: 'auth-expired-token-accepted',
    file: `${SOURCE}/access-tokens.ts`,
    find: 'if (claims.expiresAt <= Math.floor(nowMs / 1000))',
    replace: 'if (claims.expiresAt < Math.floor(nowMs / 1000))',
    why: 'A token would live a second longer than it says.',
    caughtBy: { file: `${TESTS}/authenticate.test.ts`, name: /T5: each kind of dead token/ },
  },
  {
    name: 'auth-foreign-issuer-accepted',
    file: `${SOURCE}/issuer.ts`,
    find: 'claims.iss !== issuerIdentifier(issuer) || claims.aud !== audience(issuer)',
    replace: 'false',
    why: 'A token of another environment with the same key would open this one.',
    caughtBy: { file: `${TESTS}/authenticate.test.ts`, name: /T5: claims it would not write/ },
  },
  {
    name: 'auth-token-in-its-last-minute',
    file: `${SOURCE}/issue-token.ts`,
    find: 'grant.expiresAt - nowSeconds > LAST_SECONDS &&',
    replace: 'grant.expiresAt - nowSeconds > 0 &&',
    why: 'A client would be given a token that expires before it is used.',
    caughtBy: { file: `${TESTS}/login.test.ts`, name: /T3: the same token again until/ },
  },
  {
    name: 'auth-another-token-each-time',
    file: `${SOURCE}/issue-token.ts`,
    find: 'if (!grant || !isRight(deps.issuer, present, grant, facts, nowMs)) {',
    replace: 'if (true) {',
    why: 'Logins of one account would not share the token that they are promised.',
    caughtBy: { file: `${TESTS}/login.test.ts`, name: /T3: the same token again until/ },
  },
  {
    name: 'auth-first-logins-overwrite',
    file: `${SOURCE}/grant-store.ts`,
    find: '\n    where g.jti = ${replacedJti}`;',
    replace: '`;',
    why: 'Processes that log in at once would hand out different tokens.',
    caughtBy: { file: `${TESTS}/login.test.ts`, name: /T3: 64 first logins at once/ },
  },
  {
    name: 'auth-lost-commit-is-no-login',
    file: `${SOURCE}/issue-token.ts`,
    find: 'if (!(error instanceof CommitUnknownError)) throw error;',
    replace: 'throw error;',
    why: 'A connection that is lost for a moment would refuse a login that can be had.',
    caughtBy: { file: `${TESTS}/lost-commit.test.ts`, name: /the answer is lost, no token/ },
  },
  {
    name: 'auth-unknown-outcome-is-a-defect',
    file: 'packages/server/src/http/render-error.ts',
    find: 'if (trouble) return new ApiError(',
    replace: 'if (false) return new ApiError(',
    why: 'Whoever gets a 500 does not know that looking, or sending it again, is what helps.',
    caughtBy: { file: `${TESTS}/lost-commit.test.ts`, name: /a 503 that says so/ },
  },
];
