import { defaultBrand } from '@servery/contract';
import type { Context } from '../command.ts';
import { readDemo } from '../connection.ts';
import { toTarget } from '../output-file.ts';
import { postmanCollection } from '../postman.ts';

const DEFAULT_URL = 'http://127.0.0.1:4400';

/** For the sandbox of the data directory, if there is one and no other address is given. */
export async function exportPostman(
  call: Context,
  { url, brand, out }: Readonly<Record<'url' | 'brand' | 'out', string | undefined>>,
): Promise<null> {
  const demo = url === undefined ? await readDemo(call.env, {}) : null;
  const collection = postmanCollection({
    brand: brand ?? demo?.brand ?? defaultBrand,
    baseUrl: url?.replace(/\/+$/, '') ?? demo?.baseUrl ?? DEFAULT_URL,
    clientId: demo?.clients.partner.clientId ?? '',
    restaurant: demo?.restaurants[0]?.guid ?? '',
  });
  await toTarget(
    out,
    call,
    async (write) => await write(`${JSON.stringify(collection, null, 2)}\n`),
  );
  return null;
}
