import { ApiError } from '../../http/errors.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { isOfOneself } from '../demo-sign-in.ts';

export interface DemoTokenDeps {
  /** Null if the demo has no such account. */
  readonly logInAsDemoAccount: (
    name: string,
  ) => Promise<{ readonly clientId: string; readonly accessToken: string } | null>;
}

export const demoTokenHandler =
  ({ logInAsDemoAccount }: DemoTokenDeps): HandlerOf<'backOffice.sessions.demoToken'> =>
  async (request) => {
    const { account } = request.body;
    const token = isOfOneself(request) ? await logInAsDemoAccount(account) : null;
    if (token) return { json: token };
    throw new ApiError(
      'notFound',
      'There is no such account of the demo to log in as without a secret: log in with the ' +
        'client id and the secret of demo.json.',
    );
  };
