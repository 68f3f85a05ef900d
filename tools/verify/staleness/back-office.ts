import { type Ask, textOf } from './wire.ts';

/** What the operator is answered; `body` is parsed JSON, or other text. */
export interface OfficeAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** A call of the operator to a server, by its number; null when nothing was answered. */
export type OfficeCall = (
  server: number,
  method: string,
  path: string,
  json?: unknown,
) => Promise<OfficeAnswer | null>;

/** Who logs in. */
export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly userAccessType: string;
}

const PREFIX = '/backoffice/v1';

/** The request of a login. */
export function loginOf(account: Credentials) {
  const { clientId, clientSecret, userAccessType } = account;
  return {
    method: 'POST',
    path: '/authentication/v1/authentication/login',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ clientId, clientSecret, userAccessType }),
  };
}

/** The token in the answer of a login. */
export function tokenIn(text: string): string {
  const { token } = JSON.parse(text) as { token: { accessToken: string } };
  return token.accessToken;
}

/** Logs the operator in and gives his calls. Throws an Error when he does not get in. */
export async function openOffice(ask: Ask, operator: Credentials): Promise<OfficeCall> {
  const login = await ask(0, loginOf(operator));
  if (login?.status !== 200) throw new Error(`the operator does not get in: ${login?.status}`);
  const authorization = `Bearer ${tokenIn(textOf(login))}`;
  return async (server, method, path, json) => {
    const answer = await ask(server, {
      ...{ method, path: `${PREFIX}${path}` },
      headers: {
        authorization,
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    if (!answer) return null;
    const text = textOf(answer);
    if (text === '') return { status: answer.status, body: null };
    const isText = answer.headers['content-type']?.startsWith('text/');
    return { status: answer.status, body: isText ? text : JSON.parse(text) };
  };
}

/** Calls the first server and gives the answer's body. Throws an Error for any but a 2xx. */
export async function demand<Body>(
  call: OfficeCall,
  method: string,
  path: string,
  json?: unknown,
): Promise<Body> {
  const answer = await call(0, method, path, json);
  if (!answer || answer.status >= 300) {
    throw new Error(`${method} ${path} is answered ${JSON.stringify(answer)}`);
  }
  return answer.body as Body;
}
