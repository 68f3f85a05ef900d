import { stopEmbeddedDatabases } from '@servery/postgres/embedded.ts';
import { within } from '@servery/support/timer.ts';
import { readConfig } from '../config/config.ts';
import { outliveReaders } from './readers.ts';
import { start } from './server.ts';
import { openLink } from './workers/link.ts';
import type { Begin } from './workers/messages.ts';

const EXIT_FAILURE = 1;
const EXIT_GIVEN_UP = 143;

const DATABASE_GRACE_MS = 4_000;

export async function runWorker(
  env: Readonly<Record<string, string | undefined>>,
  flags: readonly string[],
): Promise<number> {
  // Ctrl-C and service managers signal all processes; only the parent decides when workers end.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => {});
  outliveReaders();
  const link = openLink();
  const givenUp = link.givenUp.then(giveUp);
  void link.send({ kind: 'loaded' });
  const begin = await Promise.race([link.begun, link.ended, givenUp]);
  if (typeof begin === 'number') return begin;
  if (!begin) return 0;
  return await Promise.race([serve(env, flags, link, begin), givenUp]);
}

async function giveUp(): Promise<number> {
  await within(stopEmbeddedDatabases(), DATABASE_GRACE_MS).catch(() => null);
  return EXIT_GIVEN_UP;
}

async function serve(
  env: Readonly<Record<string, string | undefined>>,
  flags: readonly string[],
  link: ReturnType<typeof openLink>,
  { groupId, isFirst, number, port, tlsPort }: Begin,
): Promise<number> {
  try {
    const { tls, ...config } = readConfig(env, flags);
    const onProgress = (line: string) => void process.stderr.write(`servery: ${line}\n`);
    const starting = start(
      { ...config, port, tls: tls && { ...tls, port: tlsPort } },
      {
        onProgress: number === 1 ? onProgress : () => {},
        worker: {
          groupId,
          isFirst,
          budgets: link.budgets,
          metrics: link.metrics,
        },
      },
    );
    // Without its parent, a worker waits for its port forever.
    const platform = await Promise.race([starting, link.orphaned]);
    if (!platform) return await giveUp();
    const { url, tlsUrl, greeting } = platform;
    await link.send({ kind: 'ready', url, tlsUrl, greeting });
    await link.ended;
    await platform.stop();
    return 0;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    await link.send({ kind: 'failed', message });
    return EXIT_FAILURE;
  }
}
