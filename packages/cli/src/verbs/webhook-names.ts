import type { WebhookEndpoint } from '@servery/contract';
import { isGuid } from '../arguments.ts';
import { readPages } from '../back-office.ts';
import { invalidUsage } from '../exit-codes.ts';
import { didYouMean } from './did-you-mean.ts';
import type { Call } from './verb.ts';

/** Where webhooks are in the back office interface. */
export const WEBHOOKS = '/backoffice/v1/webhooks';
/** The word that names an endpoint. */
export const endpointWord = { name: '<endpoint>', says: 'its GUID, or a part of its address' };
const LOOKED_AT = 2_000;

/** The GUID of the endpoint that is meant: by GUID, or by a part of its address of its own. */
export async function endpointOf(
  { remote }: Pick<Call<object>, 'remote'>,
  text: string,
): Promise<string> {
  if (isGuid(text)) return text.toLowerCase();
  if (text.trim() === '') throw invalidUsage('which endpoint? Its address is empty.');
  const path = `${WEBHOOKS}/endpoints`;
  const { results } = await readPages<WebhookEndpoint>(remote, path, {}, LOOKED_AT);
  const same = results.filter(({ url }) => url === text);
  const found = same.length > 0 ? same : results.filter(({ url }) => url.includes(text));
  const [only, ...others] = found;
  if (only && others.length === 0) return only.guid;
  const shown = found.map(({ guid, url }) => `\n  ${guid}  ${url}`).join('');
  const meant =
    didYouMean(
      text,
      results.map(({ url }) => url),
    ) || '.';
  throw invalidUsage(
    only
      ? `several endpoints are ${JSON.stringify(text)}; write a GUID:${shown}`
      : `no endpoint is ${JSON.stringify(text)}${meant} "servery webhooks list" shows what ` +
          'there is.',
  );
}

/** Where the endpoint stands that the first word names. */
export async function endpointPath(call: Call<object>): Promise<string> {
  const [text = ''] = call.words;
  return `${WEBHOOKS}/endpoints/${await endpointOf(call, text)}`;
}
