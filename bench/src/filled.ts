import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { LOGIN, type MeasuredPlatform, productEnvironment } from './platform.ts';
import { ALL_CORES, endWithBench, LOAD_CORE, ROOT } from './processes.ts';

const run = promisify(execFile);

interface Account {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** What `tools/measure/fill.ts` says of what it filled in. */
export interface Filled {
  /** Connected with every restaurant. */
  readonly partnerGuid: string;
  readonly partner: Account;
  readonly backOffice: Account;
  /** Numbered from 1; the GUID of each is the pattern with the number in its last 12 digits. */
  readonly restaurants: { readonly pattern: string; readonly count: number };
  readonly large: readonly { readonly items: number; readonly guid: string }[];
  /** When the first and the last authorization that was filled in falls due, in epoch ms. */
  readonly due: { readonly firstMs: number; readonly lastMs: number } | null;
}

/** Flags of `tools/measure/fill.ts` without their dashes. */
export type FillFlags = Readonly<Record<string, string | number | true>>;

/** Fills the database of a platform, which has to be stopped when the flags say `alone`. */
export async function fill(
  { dataDir }: Pick<MeasuredPlatform, 'dataDir'>,
  flags: FillFlags,
): Promise<Filled> {
  const given = Object.entries(flags).flatMap(([name, value]) =>
    value === true ? [`--${name}`] : [`--${name}`, String(value)],
  );
  const command = [process.execPath, 'tools/measure/fill.ts', '--data-dir', dataDir, ...given];
  // The bench itself is kept to the core of the load; what is filled in may not disturb the other.
  const cores = flags.alone ? ALL_CORES : LOAD_CORE;
  const filling = run('taskset', ['-c', cores, ...command], {
    cwd: ROOT,
    env: productEnvironment(),
  });
  // `taskset` becomes the command, so that a signal reaches that.
  endWithBench(filling.child);
  const { stdout } = await filling;
  return JSON.parse(stdout);
}

/** Headers of the partner, without a restaurant. */
export async function headersOf(
  { url, demo }: MeasuredPlatform,
  { clientId, clientSecret }: Account,
): Promise<Record<string, string>> {
  const { userAccessType } = demo.clients.partner ?? {};
  const response = await fetch(url + LOGIN, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ clientId, clientSecret, userAccessType }),
  });
  const { token } = (await response.json()) as { token: { accessToken: string } };
  return { authorization: `Bearer ${token.accessToken}` };
}
