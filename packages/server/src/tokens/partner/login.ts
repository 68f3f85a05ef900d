import { type LoginResponse, machineClientAccessType } from '@servery/contract';
import type { Answer, HandlerOf } from '../../http/operation.ts';
import { unauthorized } from '../bearer.ts';
import {
  type IssuedToken,
  type IssueTokenDeps,
  issueToken,
  secondsLeftOf,
} from '../issue-token.ts';
import { type LogInDeps, logIn, logInAgain, type Proof } from '../log-in.ts';
import { noStore } from '../oauth-refused.ts';

export type LoginDeps = LogInDeps & IssueTokenDeps;

export const loginHandler =
  (deps: LoginDeps): HandlerOf<'auth.login'> =>
  async ({ body, faults, nowMs }) => {
    const accessType = machineClientAccessType(deps.issuer.brand);
    if (body.clientId === '') faults.add(['clientId'], 'must not be empty');
    if (body.clientSecret === '') faults.add(['clientSecret'], 'must not be empty');
    if (body.userAccessType !== accessType) {
      faults.add(['userAccessType'], `must be ${accessType}`);
    }
    faults.refuse();
    const loggedIn = await logIn(deps, body, '', nowMs);
    if (!loggedIn) {
      throw unauthorized(
        'The clientId or the clientSecret is wrong: check both, and that the account is not revoked.',
        { headers: noStore },
      );
    }
    const { client, secret, proof } = loggedIn;
    const request = { client, secretGuid: secret.guid, narrowedTo: '' };
    const token = await issueToken(deps, request, secret, nowMs);
    return { ...loginAnswer(token), repeat: repeatedLogin(deps, proof, token) };
  };

/** Gives the same token while the same secret opens the same grant. */
function repeatedLogin(deps: LoginDeps, proof: Proof, { accessToken, jti }: IssuedToken) {
  let last: { readonly seconds: number; readonly answer: Answer<LoginResponse> } | null = null;
  return (nowMs: number): Answer<LoginResponse> | null => {
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
}: Pick<IssuedToken, 'accessToken' | 'expiresInSeconds'>): Answer<LoginResponse> {
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
