import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseDatabaseUrl } from '../src/database-url.ts';

/** What stands between a pool and the server of its database. */
export interface Relay {
  /** The address of the database by way of the relay. */
  readonly url: string;
  close(): Promise<void>;
}

/** Stands before the server and cuts the first connection that sends the word, before or after it. */
export async function startRelay(
  url: string,
  { word, arrives }: { readonly word: 'begin' | 'commit'; readonly arrives: boolean },
): Promise<Relay> {
  const address = parseDatabaseUrl(url);
  const target = `${address.hosts[0]}/.s.PGSQL.${address.ports[0]}`;
  const folder = await mkdtemp(path.join(tmpdir(), 'relay-'));
  let isArmed = true;
  const sockets = new Set<Socket>();
  const server: Server = createServer((client) => {
    const upstream = connect(target);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
    }
    let isCutting = false;
    client.on('data', (chunk) => {
      if (isArmed && chunk.includes(word)) {
        isArmed = false;
        isCutting = true;
        if (!arrives) {
          upstream.destroy();
          client.destroy();
          return;
        }
      }
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (isCutting) client.destroy();
      else client.write(chunk);
    });
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(path.join(folder, '.s.PGSQL.5432'), resolve);
  });
  return {
    url: url.replace(/@[^/]*\//, `@${encodeURIComponent(folder)}:5432/`),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => {
        server.close(resolve);
      });
      await rm(folder, { recursive: true });
    },
  };
}
