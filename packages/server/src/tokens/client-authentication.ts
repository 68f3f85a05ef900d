import type { ClientCredentials } from '../clients/clients.ts';
import { type LetIn, type LogInDeps, logIn } from './log-in.ts';
import { oauthRefused } from './oauth-refused.ts';

const BASIC = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i;

export interface CredentialFields {
  readonly client_id?: string;
  readonly client_secret?: string;
}

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

/**
 * HTTP Basic or form fields (RFC 6749 section 2.3.1). Throws ApiError `invalid_client` for missing
 * or malformed credentials, `invalid_request` for both at once.
 */
export function readClientCredentials(
  header: string | undefined,
  form: CredentialFields,
): ClientCredentials {
  const { client_id: formId, client_secret: formSecret } = form;
  if (header === undefined) {
    if (formId !== undefined && formSecret !== undefined) {
      return { clientId: formId, clientSecret: formSecret };
    }
    throw oauthRefused(
      'invalid_client',
      'Credentials are missing: send client_id and client_secret by HTTP Basic or in the form.',
    );
  }
  const credentials = decodeBasic(header);
  if (!credentials) {
    throw oauthRefused(
      'invalid_client',
      'The Authorization header is not HTTP Basic with a form-encoded client_id and client_secret.',
    );
  }
  // Libraries repeat client_id to name themselves; that is no second authentication.
  if (formSecret !== undefined || (formId !== undefined && formId !== credentials.clientId)) {
    throw oauthRefused(
      'invalid_request',
      'Client credentials were sent twice: use HTTP Basic or the form, not both.',
    );
  }
  return credentials;
}

/** User and password are form-encoded first (RFC 6749 section 2.3.1). Null for anything else. */
export function decodeBasic(header: string): ClientCredentials | null {
  const encoded = BASIC.exec(header)?.[1];
  if (encoded === undefined) return null;
  try {
    const pair = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(encoded, 'base64'));
    const colonAt = pair.indexOf(':');
    if (colonAt < 1) return null;
    const clientId = decodeFormValue(pair.slice(0, colonAt));
    const clientSecret = decodeFormValue(pair.slice(colonAt + 1));
    return { clientId, clientSecret };
  } catch {
    // Not UTF-8, or a percent sign without two digits.
    return null;
  }
}

function decodeFormValue(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

/** Asked after the credentials. Throws ApiError `invalid_request` when there is none. */
export function sentToken({ token }: { readonly token?: string }): string {
  if (token !== undefined) return token;
  throw oauthRefused('invalid_request', 'token is missing: send it as the field token.');
}
