import { parseArgs } from 'node:util';
import { platformsOf, type Result, type RunOptions, runScenario } from './measuring.ts';
import { removeFolders } from './platform.ts';
import { endAll, familyCpuTimeMs, LOAD_CORE, pin } from './processes.ts';
import { profileScenario } from './profile.ts';
import { loadScenarios } from './registry.ts';
import { writeDocs, writeResults } from './report.ts';
import type { Effort, Scenario } from './scenario.ts';
import { plainTable } from './table.ts';

const HELP = `Usage: npm run bench -- [options] [scenario…]

Measures the product beside ceilings and peers, in turns, and prints what came of each comparison.
Without a scenario all of them are run. What is measured: docs/performance.md.

  --list            names the scenarios
  --smoke           one short round each: only that it runs, and that answers are right
  --only TEXT       of each scenario only the comparisons with the text in their name
  --runs N          all of it so many times, with a table of all runs in the end (1)
  --rounds N        counted rounds of each contender (5)
  --seconds N       seconds of each round (1)
  --write-docs      writes the table into docs/performance.md
  --profile         instead of comparing: where the product’s time goes, by function and by file
  --help            this
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    smoke: { type: 'boolean', default: false },
    profile: { type: 'boolean', default: false },
    'write-docs': { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    runs: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '1' },
  },
});

const SMOKE: Effort = { rounds: 1, secondsPerRound: 0.3, isSmoke: true };
const tell = (text: string) => process.stdout.write(`${text}\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void breakOff().finally(() => process.exit(130)));
}
process.exitCode = await main();

/** A second signal ends the bench where it stands. */
async function breakOff(): Promise<void> {
  await endAll();
  await removeFolders();
}

async function main(): Promise<number> {
  if (values.help) tell(HELP);
  const all = await loadScenarios();
  if (values.list) for (const { name, about } of all) tell(`${name.padEnd(14)} ${about}`);
  if (values.help || values.list) return 0;
  const unknown = positionals.filter((name) => !all.some((scenario) => scenario.name === name));
  if (unknown.length > 0) {
    tell(`no scenario is called ${unknown.join(' or ')}: --list names them`);
    return 2;
  }
  const counts = [values.runs, values.rounds, values.seconds].map(Number);
  if (counts.some((count) => !(count > 0))) {
    tell('--runs, --rounds and --seconds are numbers above 0');
    return 2;
  }
  const chosen = all.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  await pin(process.pid, LOAD_CORE);
  return values.profile ? await profileAll(chosen) : await measureAll(chosen);
}

async function measureAll(scenarios: readonly Scenario[]): Promise<number> {
  const effort: Effort = values.smoke
    ? SMOKE
    : { rounds: Number(values.rounds), secondsPerRound: Number(values.seconds), isSmoke: false };
  const count = values.smoke ? 1 : Number(values.runs);
  const runs: Result[][] = [];
  let hasFailed = false;
  await using platforms = platformsOf(effort, tell);
  const options = { effort, only: values.only, ...platforms };
  for (let run = 1; run <= count; run += 1) {
    if (count > 1) tell(`\nRun ${run} of ${count}`);
    const results: Result[] = [];
    runs.push(results);
    for (const scenario of scenarios) {
      hasFailed = !(await measureOne(scenario, options, results)) || hasFailed;
      // After each, so that a long run that is broken off leaves what it has.
      await writeResults(runs, effort);
    }
    // Goals say nothing of a single short round.
    if (!values.smoke) tell(`\n${plainTable([results])}`);
  }
  if (count > 1) tell(plainTable(runs));
  if (values['write-docs']) await writeDocs(await writeResults(runs, effort));
  return hasFailed ? 1 : 0;
}

/** Gives whether it could be measured: a long run is not lost for one scenario. */
async function measureOne(
  scenario: Scenario,
  options: RunOptions,
  results: Result[],
): Promise<boolean> {
  const began = { ms: performance.now(), cpuMs: await familyCpuTimeMs(process.pid) };
  try {
    results.push(await runScenario(scenario, options, values.smoke ? () => {} : tell));
    const took = Math.round((performance.now() - began.ms) / 1000);
    const used = Math.round(((await familyCpuTimeMs(process.pid)) - began.cpuMs) / 1000);
    const right = values.smoke ? 'answers are right, ' : '';
    tell(`  (${scenario.name}: ${right}${took} s, ${used} s of processor)`);
    return true;
  } catch (error) {
    tell(`${scenario.name} failed: ${error instanceof Error ? error.stack : String(error)}`);
    return false;
  }
}

async function profileAll(scenarios: readonly Scenario[]): Promise<number> {
  const options = { seconds: Number(values.seconds), only: values.only };
  for (const scenario of scenarios) await profileScenario(scenario, options, tell);
  return 0;
}
