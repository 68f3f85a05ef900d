import { type CredentialFields, readClientCredentials } from '../client-authentication.ts';
import { type LetIn, type LogInDeps, logIn } from '../log-in.ts';
import { oauthRefused } from '../oauth-refused.ts';

interface FormRequest {
  readonly headers: { readonly authorization?: string | undefined };
  readonly body: CredentialFields;
  readonly nowMs: number;
}

/**
 * Empty `narrowedTo` means all scopes. Throws ApiError `invalid_client`, and what
 * `readClientCredentials` throws.
 */
export async function authenticateClient(
  deps: LogInDeps,
  { headers, body, nowMs }: FormRequest,
  narrowedTo = '',
): Promise<LetIn> {
  const credentials = readClientCredentials(headers.authorization, body);
  const loggedIn = await logIn(deps, credentials, narrowedTo, nowMs);
  if (loggedIn) return loggedIn;
  throw oauthRefused('invalid_client', 'The client_id or the client_secret is wrong.');
}

/** Asked after the credentials. Throws ApiError `invalid_request` when there is none. */
export function sentToken({ token }: { readonly token?: string }): string {
  if (token !== undefined) return token;
  throw oauthRefused('invalid_request', 'token is missing: send it as the field token.');
}
