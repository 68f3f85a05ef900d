import { openSession, type RemoteDeps, type RemoteFlags, showJson } from '../session.ts';

/** `servery token`: logs in, and prints the access token or the header that carries it. */
export async function runToken(
  deps: RemoteDeps,
  flags: RemoteFlags & { readonly header?: boolean },
): Promise<void> {
  const { remote } = await openSession(deps, flags);
  const accessToken = await remote.accessToken();
  if (flags.json) return showJson(deps, { accessToken, baseUrl: remote.baseUrl });
  const text = flags.header ? `Authorization: Bearer ${accessToken}` : accessToken;
  deps.terminal.out.write(`${text}\n`);
}
