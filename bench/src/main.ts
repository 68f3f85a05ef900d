import { parseArgs } from 'node:util';
import { platformsOf, type Result, runScenario } from './measuring.ts';
import { LOAD_CORE, pin } from './processes.ts';
import { profileScenario } from './profile.ts';
import { loadScenarios } from './registry.ts';
import { writeDocs, writeResults } from './report.ts';
import type { Effort, Scenario } from './scenario.ts';

const HELP = `Usage: npm run bench -- [options] [scenario…]

Measures the product beside ceilings and peers, in turns, and prints a line for each comparison.
Without a scenario all of them are run. What is measured: docs/performance.md.

  --list            names the scenarios
  --smoke           one short round each: only that it runs, and that answers are right
  --only TEXT       of each scenario only the comparisons with the text in their name
  --rounds N        counted rounds of each contender (5)
  --seconds N       seconds of each round (3)
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
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
  },
});

const SMOKE: Effort = { rounds: 1, secondsPerRound: 0.3, isSmoke: true };
const tell = (text: string) => process.stdout.write(`${text}\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));
process.exitCode = await main();

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
  const chosen = all.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  await pin(process.pid, LOAD_CORE);
  return values.profile ? await profileAll(chosen) : await measureAll(chosen);
}

async function measureAll(scenarios: readonly Scenario[]): Promise<number> {
  const effort: Effort = values.smoke
    ? SMOKE
    : { rounds: Number(values.rounds), secondsPerRound: Number(values.seconds), isSmoke: false };
  const results: Result[] = [];
  const failures: string[] = [];
  await using platforms = platformsOf(effort);
  const options = { effort, only: values.only, startPlatform: platforms.startPlatform };
  for (const scenario of scenarios) {
    try {
      results.push(await runScenario(scenario, options, tell));
      // After each, so that a long run that is broken off leaves what it has.
      await writeResults(results, effort);
    } catch (error) {
      // What the other scenarios have to say is worth having: a long run is not lost for one.
      failures.push(scenario.name);
      tell(`${scenario.name} failed: ${error instanceof Error ? error.stack : String(error)}`);
    }
  }
  const report = await writeResults(results, effort);
  if (values['write-docs']) await writeDocs(report);
  return failures.length === 0 ? 0 : 1;
}

async function profileAll(scenarios: readonly Scenario[]): Promise<number> {
  const options = { seconds: Number(values.seconds), only: values.only };
  for (const scenario of scenarios) await profileScenario(scenario, options, tell);
  return 0;
}
