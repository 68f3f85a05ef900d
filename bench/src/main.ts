import { readOrEnd } from './command-line.ts';
import { platformsOf, type Result, type RunOptions, runScenario } from './measuring.ts';
import { readBenchOptions } from './options.ts';
import { removeFolders } from './platform.ts';
import { endAll, familyCpuTimeMs, LOAD_CORE, pin } from './processes.ts';
import { profileScenario } from './profile.ts';
import { loadScenarios } from './registry.ts';
import { writeDocs, writeResults } from './report.ts';
import type { Scenario } from './scenario.ts';
import { plainTable } from './table.ts';

const options = readOrEnd(() => readBenchOptions(process.argv.slice(2)));
const { effort, runs: count, only, filledIn } = options;
/** Titles of lines that were left out for `--only`. */
const leftOut = new Set<string>();
const INTERRUPTED = 130;
/** Within so many milliseconds a second Ctrl-C is the first one, which npm has passed on. */
const PASSED_ON_MS = 1_000;
let isBrokenOff = false;
let brokenOffMs = 0;
const tell = (text: string) => process.stdout.write(`${text}\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => void breakOff().finally(() => process.exit(INTERRUPTED)));
}
process.exitCode = await main().catch((error) => {
  // What is measured then has lost its server: that it fails says nothing.
  if (isBrokenOff) return INTERRUPTED;
  throw error;
});

/** A second signal ends the bench where it stands. */
async function breakOff(): Promise<void> {
  if (isBrokenOff) {
    if (performance.now() - brokenOffMs < PASSED_ON_MS) await new Promise(() => {});
    return;
  }
  [isBrokenOff, brokenOffMs] = [true, performance.now()];
  process.stderr.write('\nbroken off: ending what was started, and removing its data\n');
  await endAll();
  await removeFolders();
}

async function main(): Promise<number> {
  const all = await loadScenarios();
  if (options.task === 'list') {
    for (const { name, about } of all) tell(`${name.padEnd(14)} ${about}`);
    return 0;
  }
  const { scenarios: wanted } = options;
  const unknown = wanted.filter((name) => !all.some((scenario) => scenario.name === name));
  if (unknown.length > 0) {
    const names = all.map(({ name }) => name).join(', ');
    process.stderr.write(`no scenario is called ${unknown.join(' or ')}: there are ${names}\n`);
    return 2;
  }
  const chosen = all.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
  await pin(process.pid, LOAD_CORE);
  return options.task === 'profile' ? await profileAll(chosen) : await measureAll(chosen);
}

async function measureAll(scenarios: readonly Scenario[]): Promise<number> {
  const runs: Result[][] = [];
  let hasFailed = false;
  await using platforms = platformsOf(effort, tell, filledIn);
  const given = { effort, only, leaveOut, ...platforms };
  for (let run = 1; run <= count; run += 1) {
    if (count > 1) tell(`\nRun ${run} of ${count}`);
    const results: Result[] = [];
    runs.push(results);
    for (const scenario of scenarios) {
      hasFailed = !(await measureOne(scenario, given, results)) || hasFailed;
      // After each, so that a long run that is broken off leaves what it has. What a short one
      // finds is no figure, and takes the place of none.
      if (!effort.isSmoke && hasLines(runs)) await writeResults(runs, effort);
    }
    if (only !== '' && !hasFailed && !hasLines(runs)) return tellNoLine();
    // Goals say nothing of a single short round.
    if (!effort.isSmoke) tell(`\n${plainTable([results])}`);
  }
  if (count > 1) tell(plainTable(runs));
  if (options.writesDocs) await writeDocs(await writeResults(runs, effort));
  return hasFailed ? 1 : 0;
}

/** Gives whether it could be measured: a long run is not lost for one scenario. */
async function measureOne(
  scenario: Scenario,
  given: RunOptions,
  results: Result[],
): Promise<boolean> {
  const began = { ms: performance.now(), cpuMs: await familyCpuTimeMs(process.pid) };
  try {
    const result = await runScenario(scenario, given, effort.isSmoke ? () => {} : tell);
    results.push(result);
    const took = Math.round((performance.now() - began.ms) / 1000);
    const used = Math.round(((await familyCpuTimeMs(process.pid)) - began.cpuMs) / 1000);
    if (effort.isSmoke) for (const what of result.skipped) tell(`${scenario.name}: ${what}`);
    tell(`  (${scenario.name}: ${outcomeText(result)}${took} s, ${used} s of processor)`);
    return true;
  } catch (error) {
    // Else the next one would start servers that nobody ends.
    if (isBrokenOff) throw error;
    tell(`${scenario.name} failed: ${error instanceof Error ? error.stack : String(error)}`);
    return false;
  }
}

/** Who was asked nothing has given no right answer. */
function outcomeText({ lines }: Result): string {
  if (lines.length === 0) return 'nothing measured, ';
  return effort.isSmoke ? 'answers are right, ' : '';
}

function hasLines(runs: readonly (readonly Result[])[]): boolean {
  return runs.flat().some(({ lines }) => lines.length > 0);
}

async function profileAll(scenarios: readonly Scenario[]): Promise<number> {
  const given = { seconds: effort.secondsPerRound, only, leaveOut, filledIn };
  let profiled = 0;
  for (const scenario of scenarios) profiled += await profileScenario(scenario, given, tell);
  return only !== '' && profiled === 0 ? tellNoLine() : 0;
}

function leaveOut(title: string): void {
  leftOut.add(title);
}

function tellNoLine(): number {
  const names = [...leftOut].map((title) => `\n  ${title}`).join('');
  const known = names === '' ? '' : `: there are${names}`;
  process.stderr.write(`no line has ${only} in its name${known}\n`);
  return 2;
}
