import type { LoggedRequestDetails } from '@servery/contract';
import { platformUrl } from '../../platform/address.ts';

/** Added by whatever sends the request, or bound to the first one. */
const LEFT_OUT =
  /^(host|connection|content-length|accept-encoding|user-agent|cookie|origin|sec-|x-forwarded)/i;

/** The request as a command. The log has no token, so the shell must have one. */
export function curlOf(request: LoggedRequestDetails): string {
  const { method, path, query, requestHeaders, requestBody } = request;
  const search = new URLSearchParams(query).toString();
  const headers = Object.entries(requestHeaders).filter(
    ([name]) => !LEFT_OUT.test(name) && name.toLowerCase() !== 'authorization',
  );
  return [
    `curl -X ${method} ${quote(`${platformUrl}${path}${search === '' ? '' : `?${search}`}`)}`,
    '-H "Authorization: Bearer $TOKEN"',
    ...headers.map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(requestBody === null ? [] : [`--data-raw ${quote(requestBody)}`]),
  ].join(' \\\n  ');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
