import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { brandedHeaders } from '@servery/contract';
import { pinToCore } from './load.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The core of the measured process; the load and the database have the others. */
const MEASURED_CORE = 0;

/** A server under measurement, and how to ask it. */
export interface MeasuredPlatform {
  readonly url: string;
  /** Headers of a request of the partner at the restaurant with the most items. */
  readonly headers: Readonly<Record<string, string>>;
  readonly isPinned: boolean;
  /** Where its data are, and `demo.json` with its accounts. */
  readonly dataDir: string;
  stop(): Promise<void>;
}

/** Starts a child that prints `… ready <address>`, pins it, and gives the address. */
export async function startPinned(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ url: string; child: ChildProcess; isPinned: boolean }> {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...inherited(), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    const url = /ready (http:\S+)$/.exec(line)?.[1];
    if (url === undefined) continue;
    const isPinned = await pinToCore(child.pid ?? 0, MEASURED_CORE);
    return { url, child, isPinned };
  }
  throw new Error(`${args[0]} ended before it was ready`);
}

/** The environment without settings of the product, which may be those of a real platform. */
function inherited(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env);
  return Object.fromEntries(entries.filter(([name]) => !/^(SERVERY_|DATABASE_URL$)/.test(name)));
}

/** Ends a child and waits until it is gone. */
export async function stopChild(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}

/**
 * Starts the whole product on a new data folder: authentication, grants, budgets (raised, not off),
 * the default log level, and the embedded database with `fsync` on. `env` says what is different.
 */
export async function startPlatform(
  env: Readonly<Record<string, string>> = {},
): Promise<MeasuredPlatform> {
  const folder = await mkdtemp(join(tmpdir(), 'servery-bench-'));
  await chmod(folder, 0o755);
  const dataDir = join(folder, 'data');
  const { url, child, isPinned } = await startPinned(
    ['packages/server/src/main.ts', '--port', '0', '--data-dir', dataDir],
    {
      SERVERY_RATE_LIMIT_PER_SECOND: '1000000',
      SERVERY_RATE_LIMIT_PER_QUARTER_HOUR: '1000000000',
      // A simulator in a process of its own would share the machine with what is measured.
      SERVERY_PROCESSOR: 'in-process',
      ...env,
    },
  );
  const demo = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8'));
  return {
    url,
    headers: await partnerHeaders(url, demo),
    isPinned,
    dataDir,
    async stop() {
      await stopChild(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Demo {
  readonly brand: string;
  readonly clients: Record<
    string,
    { clientId: string; clientSecret: string; userAccessType: string }
  >;
  readonly restaurants: readonly { guid: string; archived: boolean }[];
}

async function partnerHeaders(url: string, demo: Demo): Promise<Record<string, string>> {
  const login = await fetch(`${url}/authentication/v1/authentication/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(demo.clients.partner),
  });
  const { token } = (await login.json()) as { token: { accessToken: string } };
  const name = brandedHeaders(demo.brand).restaurantExternalId;
  const authorization = `Bearer ${token.accessToken}`;
  const candidates = demo.restaurants.filter(({ archived }) => !archived);
  const sizes = await Promise.all(
    candidates.map(async ({ guid }) => {
      const headers = { authorization, [name]: guid };
      const response = await fetch(`${url}/config/v2/menuItems`, { headers });
      return { headers, items: ((await response.json()) as unknown[]).length };
    }),
  );
  const [largest] = sizes.sort((a, b) => b.items - a.items);
  if (!largest) throw new Error('the demo group has no restaurant');
  return largest.headers;
}
