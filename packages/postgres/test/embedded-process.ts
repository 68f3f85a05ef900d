/**
 * A program with an embedded database, for tests that kill it:
 * `node embedded-process.ts <data dir>`, driven by messages of its parent, one answer for each.
 * When the parent is gone it stops cleanly.
 */

import { connectDatabase } from '../src/database.ts';
import { startEmbeddedDatabase } from '../src/embedded.ts';

/** What the parent may ask for. */
export type Request =
  | { readonly query: string }
  | { readonly write: number }
  | { readonly stop: true };

/** What it is told. `written` comes after each commit of a `write`. */
export type Reply =
  | { readonly ready: string; readonly progress: readonly string[]; readonly startMs: number }
  | { readonly rows: readonly unknown[] }
  | { readonly written: number }
  | { readonly stopped: true }
  | { readonly interrupted: readonly unknown[] }
  | { readonly failed: string };

const reply = (message: Reply) => process.send?.(message);
const progress: string[] = [];
const [, , dataDir = '', ...flags] = process.argv;
let isInterrupted = flags.includes('interrupted');
/** What a Ctrl-C in the terminal does while PostgreSQL makes its files. */
const interruptGroup = () => {
  if (!isInterrupted) return;
  isInterrupted = false;
  process.once('SIGINT', () => {});
  process.kill(0, 'SIGINT');
};

try {
  const startedAt = performance.now();
  const embedded = await startEmbeddedDatabase({
    name: 'servery',
    dataDir,
    onProgress: (message) => progress.push(message),
    onBegun: interruptGroup,
    isDurable: flags.includes('durable'),
  });
  const database = connectDatabase({ url: embedded.url, poolSize: 4 });
  const stop = async () => {
    await database.close();
    await embedded.stop();
  };
  process.on('message', async (request: Request) => {
    try {
      if ('query' in request) {
        reply({ rows: [...(await database.sql.unsafe(request.query))] });
      } else if ('write' in request) {
        for (let n = 1; n <= request.write; n += 1) {
          await database.transaction((sql) => sql`insert into entry (n) values (${n})`);
          reply({ written: n });
        }
      } else {
        await stop();
        reply({ stopped: true });
        process.disconnect?.();
      }
    } catch (error) {
      reply({ failed: String(error) });
    }
  });
  process.once('disconnect', stop);
  process.once('SIGINT', async () => {
    // The database must outlive the signal that its terminal sends to everybody.
    reply({ interrupted: [...(await database.sql`select 'alive' as state`)] });
    await stop();
    process.disconnect?.();
  });
  reply({ ready: embedded.url, progress, startMs: performance.now() - startedAt });
} catch (error) {
  reply({ failed: error instanceof Error ? error.message : String(error) });
  process.disconnect?.();
}
