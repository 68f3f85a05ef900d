import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startChild } from '@servery/support/start-child.ts';
import type { Context } from '../command.ts';
import { readAddress } from '../connection.ts';
import { CommandFailure, exitCodes, invalidUsage } from '../exit-codes.ts';
import { readBytes, writePrivate } from '../files.ts';
import type { Judged } from '../judged/checks.ts';
import { type ReportFiles, shownReport } from '../judged/report.ts';
import type { Shown } from '../shown.ts';
import { tell } from '../tell.ts';
import { type PlatformFile, platformFileOf } from './platform-file.ts';

export interface ConformOptions extends ReportFiles {
  readonly level: string;
  readonly platform: string | undefined;
  readonly only: string | undefined;
  readonly expectedFailures: string | undefined;
}

/** The tests of the acceptance ring, which know a platform by its address alone. */
const CHECKS = new URL('../../../../acceptance/src/conform.ts', import.meta.url);
const STALE = 'This check passes now. Take it out of the file of expected failures.';

/** Checks whether the platform at the address conforms to the contract. */
export async function conform(call: Context, url: string, options: ConformOptions): Promise<Shown> {
  const expected = await readExpected(options.expectedFailures);
  const file = await platformFileOf(url, options.platform, call.env);
  requireTwoRestaurants(file);
  tell(call, 'The checks take a minute or more.');
  const found: Judged[] = [];
  await judge(call, { url: readAddress(url), file, ...options }, (check) => {
    found.push(verdictOf(check, options.level, expected));
  });
  if (found.length === 0) throw invalidUsage('no check has such a title.');
  const checks = [...found, ...gone(found, expected, options.only)];
  return await shownReport(
    { name: 'Conformance', subject: readAddress(url), checks },
    options,
    call,
  );
}

/** At the full level everything has to be checked. */
function verdictOf(check: Judged, level: string, expected: ReadonlySet<string>): Judged {
  const isMissing = check.outcome === 'notChecked' && level === 'full';
  const outcome = isMissing ? 'failed' : check.outcome;
  if (!expected.has(check.title)) return { ...check, outcome };
  if (outcome === 'passed') return { ...check, outcome: 'failed', message: STALE };
  return { ...check, outcome: outcome === 'failed' ? 'expected' : outcome };
}

/** Expected failures that name no check. */
function gone(
  found: readonly Judged[],
  expected: ReadonlySet<string>,
  only: string | undefined,
): Judged[] {
  const titles = new Set(found.map(({ title }) => title));
  // With a pattern, other checks did not run.
  const lost = only === undefined ? [...expected].filter((title) => !titles.has(title)) : [];
  return lost.map((title) => ({
    title,
    outcome: 'failed',
    message: 'There is no such check. Take it out of the file of expected failures.',
    durationMs: 0,
  }));
}

async function readExpected(file: string | undefined): Promise<ReadonlySet<string>> {
  if (file === undefined) return new Set();
  const lines = (await readBytes(file)).toString('utf8').split('\n');
  return new Set(lines.map((line) => line.trim()).filter((line) => line && !line.startsWith('#')));
}

function requireTwoRestaurants({ restaurants }: PlatformFile): void {
  const open = [restaurants].flat().filter((each) => !(each as { archived?: boolean }).archived);
  if (open.length >= 2) return;
  throw invalidUsage(
    'the checks need an account that reaches two restaurants. Connect another one, or name two in ' +
      'the file of --platform.',
  );
}

interface Judging {
  readonly url: string;
  readonly file: PlatformFile;
  readonly level: string;
  readonly only: string | undefined;
}

async function judge(
  call: Context,
  { url, file, level, only }: Judging,
  onCheck: (check: Judged) => void,
): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'servery-conform-'));
  try {
    const demo = path.join(folder, 'platform.json');
    await writePrivate(demo, file);
    const given = { SERVERY_URL: url, SERVERY_DEMO: demo, SERVERY_CONFORM_LEVEL: level };
    const child = await startChild(
      process.execPath,
      [fileURLToPath(CHECKS), ...(only === undefined ? [] : [`--only=${only}`])],
      { env: { ...call.env, ...given }, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] },
    );
    let errors = '';
    child.stderr?.on('data', (chunk) => {
      errors += String(chunk);
    });
    child.on('message', (check) => {
      onCheck(check as Judged);
    });
    const stop = () => child.kill();
    call.signal.addEventListener('abort', stop);
    // All messages have come when both streams are closed.
    const [code] = await once(child, 'close');
    call.signal.removeEventListener('abort', stop);
    call.signal.throwIfAborted();
    if (code === 0 || code === 1) return;
    if (errors !== '') tell(call, errors.trim());
    throw new CommandFailure('the checks broke off.', exitCodes.failure);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
