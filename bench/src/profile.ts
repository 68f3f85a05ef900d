import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keepFillings } from './fillings.ts';
import { attachInspector } from './inspector.ts';
import type { RunOptions } from './measuring.ts';
import { startPlatform } from './platform.ts';
import { cpuTimeMs } from './processes.ts';
import { type CpuProfile, type SelfTime, selfTimes } from './profile-summary.ts';
import { RESULTS } from './report.ts';
import type { Bench, Comparison, Scenario } from './scenario.ts';
import { titleOf } from './verdicts.ts';

const FUNCTIONS_SHOWN = 40;
const FILES_SHOWN = 30;
const SAMPLING_MICROSECONDS = 200;

/**
 * Runs the product's side of each comparison of a scenario alone, and tells where its processor
 * time goes: for each function and each file the share of the time, and microseconds per answer.
 * The profile itself is written beside the results, to be opened as a flame graph. Gives how many
 * comparisons had `only` in their name.
 */
export async function profileScenario(
  { name, run }: Scenario,
  {
    seconds,
    only,
    leaveOut,
    filledIn,
  }: Pick<RunOptions, 'only' | 'leaveOut'> & {
    readonly seconds: number;
    readonly filledIn: string | null;
  },
  tell: (text: string) => void,
): Promise<number> {
  let profiled = 0;
  // The inspector tells where it listens on standard error, which goes to the log.
  const watched = { nodeFlags: ['--inspect=127.0.0.1:0'] };
  await using fillings = keepFillings(tell, filledIn);
  const bench: Bench = {
    effort: { rounds: 1, secondsPerRound: seconds, isSmoke: false },
    startPlatform: (settings = {}) => startPlatform({ ...settings, ...watched }),
    startFilled: (settings, flags) => fillings.start(name, { ...settings, ...watched }, flags),
    async compare(comparison) {
      if (comparison.name.includes(only)) {
        profiled += 1;
        await profileProduct(name, comparison, seconds, tell);
      } else leaveOut(titleOf(name, comparison));
    },
    report: () => {},
    skip: (what, reason) => tell(`${name}, ${what} is skipped: ${reason}`),
    note: () => {},
  };
  await run(bench);
  return profiled;
}

async function profileProduct(
  scenario: string,
  { name, product }: Comparison,
  seconds: number,
  tell: (text: string) => void,
): Promise<void> {
  const title = titleOf(scenario, { name });
  const { inspectorUrl = null, pid = 0 } = product.process ?? {};
  if (!inspectorUrl) {
    tell(`${title}: nothing to profile`);
    return;
  }
  // What is not compiled yet is not what a loaded server spends its time on.
  await product.measure(seconds);
  await using inspector = await attachInspector(inspectorUrl);
  await inspector.ask('Profiler.enable');
  await inspector.ask('Profiler.setSamplingInterval', { interval: SAMPLING_MICROSECONDS });
  await inspector.ask('Profiler.start');
  const usedBeforeMs = await cpuTimeMs(pid);
  const { value } = await product.measure(seconds);
  const usedMs = (await cpuTimeMs(pid)) - usedBeforeMs;
  const { profile } = (await inspector.ask('Profiler.stop')) as { profile: CpuProfile };
  const file = join(RESULTS, `${title.replaceAll(/[^a-z0-9]+/gi, '-')}.cpuprofile`);
  await mkdir(RESULTS, { recursive: true });
  await writeFile(file, JSON.stringify(profile));
  const times = selfTimes(profile);
  const answers = value * seconds;
  const each = Math.round((1000 * usedMs) / answers);
  tell(`\n${title}: ${Math.round(value)}/s while profiled; ${file}`);
  tell(`${each} µs of processor each; what is beyond the main thread’s is that of other threads`);
  tell(tableOf('function', times.functions.slice(0, FUNCTIONS_SHOWN), times.totalMs, answers));
  tell(tableOf('file or package', times.files.slice(0, FILES_SHOWN), times.totalMs, answers));
}

function tableOf(
  what: string,
  times: readonly SelfTime[],
  totalMs: number,
  answers: number,
): string {
  const rows = times.map(({ name, selfMs }) => {
    const share = `${((100 * selfMs) / totalMs).toFixed(1)} %`;
    const each = `${((1000 * selfMs) / answers).toFixed(1)} µs`;
    return `${share.padStart(8)}  ${each.padStart(10)}  ${name}\n`;
  });
  return `${'self'.padStart(8)}  ${'per answer'.padStart(10)}  ${what}\n${rows.join('')}`;
}
