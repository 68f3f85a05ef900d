import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readConfig } from '@servery/server/config.ts';
import type { DemoFile } from '@servery/server/sandbox/demo-file.ts';
import { start } from '@servery/server/server.ts';
import { createTestDatabase } from '../../server/test/database.ts';
import { type Ended, servery } from './command.ts';

/** A running sandbox, and the command beside it. */
export interface RemotePlatform {
  readonly demo: DemoFile;
  readonly dataDir: string;
  /** Runs `servery`, which finds the sandbox by its data folder unless `env` says otherwise. */
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>;
  /** Runs it and gives what it printed as JSON; fails unless it ends with 0. */
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into JSON that the contract describes.
  json(args: readonly string[]): Promise<any>;
  stop(): Promise<void>;
}

/** Starts a sandbox with the demo group, in this process, on a database of its own. */
export async function startRemotePlatform(): Promise<RemotePlatform> {
  const own = await createTestDatabase();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'servery-cli-remote-'));
  const config = readConfig(
    {
      DATABASE_URL: own.url,
      SERVERY_DATA_DIR: dataDir,
      SERVERY_PORT: '0',
      SERVERY_LOG_LEVEL: 'error',
      SERVERY_PROCESSOR: 'in-process',
    },
    [],
  );
  const platform = await start(config);
  const demo = JSON.parse(await readFile(path.join(dataDir, 'demo.json'), 'utf8')) as DemoFile;
  const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    servery(args, { env: { SERVERY_DATA_DIR: dataDir, ...env } });
  return {
    ...{ demo, dataDir, run },
    json: async (args) => {
      const { code, out, err } = await run([...args, '--json']);
      if (code !== 0) throw new Error(`servery ${args.join(' ')} ended with ${code}: ${err}`);
      return JSON.parse(out);
    },
    stop: async () => {
      await platform.stop();
      await own.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Sends what `servery encrypt --curl` printed, as curl would; gives status and body. */
export async function sendAsCurl(command: string, token: string) {
  const [, url = ''] = /-X PUT '([^']+)'/.exec(command) ?? [];
  const [, body = ''] = /--data-binary '(.*)'\n$/s.exec(command) ?? [];
  const headers = [...command.matchAll(/-H (['"])([^:]+): (.*?)\1 \\\n/g)].map(
    ([, , name = '', value = '']): [string, string] => [name, value.replace('$TOKEN', token)],
  );
  const answer = await fetch(url, { method: 'PUT', headers, body });
  return { status: answer.status, body: await answer.json() };
}
