import { CommandFailure, exitCodes } from './exit-codes.ts';

/** What is said of a change whose answer was lost. */
export const PERHAPS_DONE = 'It is not known whether it was done: look before you send it again.';

const NEVER_CONNECTED: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the name of the host is not known',
  EAI_AGAIN: 'the name of the host cannot be looked up now',
  EHOSTUNREACH: 'there is no way to the host',
  ENETUNREACH: 'there is no way to the host',
  ETIMEDOUT: 'the host does not answer',
  'bad port': 'its port is not one for http',
  UND_ERR_CONNECT_TIMEOUT: 'the host does not answer',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted (see NODE_EXTRA_CA_CERTS)',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted (see NODE_EXTRA_CA_CERTS)',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted (see NODE_EXTRA_CA_CERTS)',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it speaks http there, not https: write http:// before it',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it speaks http there, not https: write http:// before it',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
};

const CUT: readonly string[] = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'terminated'];

/**
 * What a person is told when no platform answers, and why, as what `fetch` threw has it. `isLost`
 * when the request may have been done all the same; `wayOut` is said where nothing was reached.
 */
export function unreachable(
  baseUrl: string,
  error: unknown,
  { isLost, wayOut }: { readonly isLost: boolean; readonly wayOut: string },
): CommandFailure {
  const code = codeOf(error);
  const reason = NEVER_CONNECTED[code];
  const message = reason
    ? `no platform can be reached at ${baseUrl}: ${reason}. Start one with "servery start", or ` +
      `name another with --url or SERVERY_URL.${wayOut}`
    : `the connection to ${baseUrl} broke before the answer (${code}).` +
      (isLost ? ` ${PERHAPS_DONE}` : ' Try again.');
  return new CommandFailure(message, exitCodes.failure, { cause: error });
}

/** Why no connection came about or stayed, in a few words; null for what is not known. */
export function shortReasonOf(error: unknown): string | null {
  const code = codeOf(error);
  return NEVER_CONNECTED[code] ?? (CUT.includes(code) ? 'the connection was cut' : null);
}

/** What fetch throws has the reason inside, sometimes one for each address of the host. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  if (error.cause !== undefined) return codeOf(error.cause);
  const { code } = error as NodeJS.ErrnoException;
  return code ?? error.message;
}
