import type { LoggedRequestDetails } from '@servery/contract';
import { requests as texts } from '../../messages.ts';
import { platformUrl } from '../../platform/address.ts';
import { lacksBody } from './words.tsx';

/** Added by whatever sends the request, or bound to the first one. */
const NOT_SENT =
  /^(host|connection|content-(length|encoding)|accept-encoding|user-agent|authorization|cookie|origin|sec-|x-|transfer-encoding|expect)/i;
/** Also in an address. */
const LEFT_OUT = /(\[|%5B)left.out/;

/** The request as a command. The log has no token, so the shell must have one. */
export function curlOf(request: LoggedRequestDetails): string {
  const { method, path, query, requestHeaders, requestBody } = request;
  const search = new URLSearchParams(query).toString();
  const headers = Object.entries(requestHeaders).filter(([name]) => !NOT_SENT.test(name));
  const lacks = lacksBody(request);
  const command = [
    `curl -X ${method} ${quote(`${platformUrl}${path}${search === '' ? '' : `?${search}`}`)}`,
    '-H "Authorization: Bearer $TOKEN"',
    ...headers.map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(lacks ? ['-d @body.json'] : requestBody ? [`--data-raw ${quote(requestBody)}`] : []),
  ].join(' \\\n  ');
  const isSpoilt = LEFT_OUT.test(command);
  return (lacks ? texts.curlBody : '') + (isSpoilt ? texts.curlLeftOut : '') + command;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
