/**
 * Proves that the tests can fail: puts each deliberate defect into a copy of the repository and
 * demands that the test which is named beside it fails. `npm run sabotage`, or only those whose
 * names contain a word: `npm run sabotage -- stock`. Exit code 1 when a defect is not caught.
 */
import { fileURLToPath } from 'node:url';
import { globalSetup, globalTeardown } from '../packages/postgres/test/global-setup.ts';
import { type Defect, OutdatedDefect } from './sabotage/defect.ts';
import { defects } from './sabotage/defects.ts';
import { judge, type Verdict } from './sabotage/verdict.ts';
import { openWorkshop, type Workshop } from './sabotage/workshop.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const words = process.argv.slice(2);
const chosen = defects.filter(
  ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
);
if (chosen.length === 0) {
  console.error(`no defect has ${words.join(' or ')} in its name`);
  process.exit(1);
}

const startedAtMs = performance.now();
// Without this an interrupted run would leave its copy and its PostgreSQL behind.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
const workshop = openWorkshop(ROOT);
process.once('exit', () => workshop.close());
// One PostgreSQL for all runs: they find it by the variable that this sets.
await globalSetup();
const left = await runAll(workshop);
await globalTeardown();
const seconds = Math.round((performance.now() - startedAtMs) / 1000);
console.log(`${chosen.length - left} of ${chosen.length} defects caught in ${seconds} s`);
process.exitCode = left === 0 ? 0 : 1;

/** Runs the chosen defects, by test; gives how many were not caught. */
async function runAll(place: Workshop): Promise<number> {
  let missed = 0;
  const byTest = Map.groupBy(chosen, ({ caughtBy }) => `${caughtBy.file} ${caughtBy.name}`);
  for (const group of byTest.values()) {
    const [{ caughtBy }] = group as [Defect];
    // Alone, as with the defect: a test that leans on those before it would look like a catch.
    const before = judge(await place.runTests(caughtBy.file, [caughtBy.name]), caughtBy.name);
    for (const defect of group) {
      const isCaught =
        before.outcome === 'passed' ? await tryOut(place, defect) : tellUnsound(defect, before);
      if (!isCaught) missed += 1;
    }
  }
  return missed;
}

async function tryOut(place: Workshop, defect: Defect): Promise<boolean> {
  const { file, name } = defect.caughtBy;
  try {
    const results = await place.withDefect(defect, () => place.runTests(file, [name]));
    const { outcome, complaint } = judge(results, name);
    if (outcome === 'failed') tell('caught', defect, complaint);
    else if (outcome === 'passed') tell('SURVIVED', defect, `${name} in ${file} passes`);
    else tell('NOT RUN', defect, `${name} in ${file}: ${complaint}`);
    return outcome === 'failed';
  } catch (error) {
    if (!(error instanceof OutdatedDefect)) throw error;
    tell('OUTDATED', defect, error.message);
    return false;
  }
}

function tellUnsound(defect: Defect, { outcome, complaint }: Verdict): false {
  const { file, name } = defect.caughtBy;
  tell('UNSOUND', defect, `without it, ${name} in ${file}: ${outcome} (${complaint})`);
  return false;
}

function tell(what: string, { name }: Defect, details: string | null): void {
  console.log(`${what.padEnd(9)} ${name.padEnd(44)} ${(details ?? '').slice(0, 120)}`.trimEnd());
}
