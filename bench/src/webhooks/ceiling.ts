import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Client } from 'undici';

/** What the loop is told to post. */
export interface PostOrder {
  readonly origin: string;
  readonly paths: readonly string[];
  /** Posts to each path. */
  readonly count: number;
  /** Posts to one path at a time. */
  readonly atOnce: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

// The ceiling of deliveries: undici that posts ready-made bytes with ready-made headers in a loop,
// without a database, signatures, rules or a record of anything.
async function postAll({ origin, paths, count, atOnce, ...post }: PostOrder): Promise<void> {
  const loops = paths.flatMap((path) => {
    let left = count;
    return Array.from({ length: atOnce }, async () => {
      const client = new Client(origin);
      while (left-- > 0) {
        const { body } = await client.request({ ...post, path, method: 'POST' });
        await body.dump();
      }
      await client.close();
    });
  });
  await Promise.all(loops);
}

const server = createServer(async (request, response) => {
  await postAll(JSON.parse(await text(request)));
  response.end();
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`ceiling ready http://127.0.0.1:${port}\n`);
});
process.on('SIGTERM', () => process.exit(0));
