import { execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { WITHOUT_PLATFORM_VARIABLE } from '../../test-setup.ts';
import { applyDefect, type DefectEdit } from './defect.ts';
import type { TestResult } from './reporter.ts';

const WORKSPACES = '@servery';
/** A defect may make its test wait for ever, and so may the hooks after it. */
const TEST_TIMEOUT_MS = 20_000;
const RUN_TIMEOUT_MS = 90_000;

/** A copy of the repository in which anything may be broken. */
export interface Workshop {
  /** Where the copy is. */
  readonly folder: string;
  /** Runs the tests of a file whose titles match one of the patterns; gives how each ended. */
  runTests(file: string, titles: readonly RegExp[]): Promise<TestResult[]>;
  /** Runs `work` while the copy has the defect. Throws OutdatedDefect. */
  withDefect<T>(defect: DefectEdit, work: () => Promise<T>): Promise<T>;
  /** Removes the copy. */
  close(): void;
}

/**
 * Copies what git has or would add of the repository at `root` into a temporary folder. Other
 * people's packages are linked to, those of one workspace too; the workspaces' own links lead into
 * the copy, because tests would otherwise import the sound packages.
 */
export function openWorkshop(root: string): Workshop {
  const folder = mkdtempSync(join(tmpdir(), 'servery-sabotage-'));
  copyFiles(root, folder);
  linkPackages(root, folder);
  return {
    folder,
    runTests: (file, titles) => runTests(folder, file, titles),
    async withDefect(defect, work) {
      const path = join(folder, defect.file);
      const sound = readFileSync(path, 'utf8');
      writeFileSync(path, applyDefect(defect, sound));
      try {
        return await work();
      } finally {
        writeFileSync(path, sound);
      }
    },
    // Tests that were interrupted may still be writing.
    close: () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 }),
  };
}

function copyFiles(root: string, folder: string): void {
  const listed = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const path of new Set(listed.split('\0'))) {
    // A file that was removed is listed until that is committed.
    if (path === '' || !existsSync(join(root, path))) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(root, path), join(folder, path));
  }
}

function linkPackages(root: string, folder: string): void {
  const [from, to] = [join(root, 'node_modules'), join(folder, 'node_modules')];
  mkdirSync(join(to, WORKSPACES), { recursive: true });
  for (const name of readdirSync(from)) {
    // Caches stay behind: nothing that a defect leaves there may reach the sound repository.
    if (name !== WORKSPACES && name !== '.cache') symlinkSync(join(from, name), join(to, name));
  }
  for (const name of readdirSync(join(from, WORKSPACES))) {
    // The targets are relative, so that the same link leads into the copy.
    const target = readlinkSync(join(from, WORKSPACES, name));
    symlinkSync(target, join(to, WORKSPACES, name));
    const ofWorkspace = join(target, 'node_modules');
    const own = join(from, WORKSPACES, ofWorkspace);
    if (existsSync(own)) symlinkSync(own, join(to, WORKSPACES, ofWorkspace));
  }
}

async function runTests(
  folder: string,
  file: string,
  titles: readonly RegExp[],
): Promise<TestResult[]> {
  const options = [
    '--test',
    '--test-global-setup=tools/test-setup.ts',
    '--test-reporter=./tools/verify/sabotage/reporter.ts',
    `--test-timeout=${TEST_TIMEOUT_MS}`,
    '--test-force-exit',
    ...titles.map((title) => `--test-name-pattern=${title}`),
  ];
  // The variable tells a test process that it is one; here a new run begins.
  const { NODE_TEST_CONTEXT: _, ...environment } = process.env;
  const child = spawn(process.execPath, [...options, file], {
    cwd: folder,
    timeout: RUN_TIMEOUT_MS,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...environment, [WITHOUT_PLATFORM_VARIABLE]: '1' },
  });
  const output = await readText(child.stdout);
  return output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as TestResult);
}
