/**
 * Runs the guides of docs/guides/ as tests, with `servery` on the PATH: each script on a platform of
 * its own that holds nothing, and pages on one with the demo group. Exit code 1 for a guide that
 * fails, with what it said.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { platformEnvironment } from '../../acceptance/src/settings.ts';
import { programFile } from '../../packages/support/test/program.ts';
import { usePrograms } from '../test-programs.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Pages that are read one after the other in one shell: each goes on where the one before ends. */
const PAGES = [
  'docs/guides/why-was-this-refused.md',
  'docs/guides/take-an-order.md',
  'docs/guides/run-orders.md',
  'docs/guides/lost-answers.md',
];
/** Its blocks behind the first, which starts the platform, make the functions of the pages. */
const BEGINNING = 'docs/start/partner-developer.md';
const BEGINNING_BLOCKS = [1, 2];
const END = 'end of block';
/** The same again in another way, with functions of another page. */
const UNTYPED = '\n## Over HTTP\n';

await usePrograms(join(ROOT, 'node_modules/.cache/guide-programs'));
const SERVERY = programFile('packages/cli/bin/servery.mjs');

for (const guide of globSync('docs/guides/*.sh', { cwd: ROOT }).sort()) {
  const file = join(ROOT, guide);
  await check(guide, 'none', (place) =>
    runShell(place, [file], 'inherit').then(({ code }) => code),
  );
}
await check(PAGES.join(', '), 'demo', runPages);

async function check(
  name: string,
  profile: string,
  run: (place: Place) => Promise<number>,
): Promise<void> {
  console.log(`== ${name}`);
  const code = await onPlatform(profile, run);
  console.log(`== ${name} ended with ${code}`);
  if (code !== 0) process.exitCode = 1;
}

interface Place {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Starts a new platform, and ends it after the run; gives the exit code of the run. */
async function onPlatform(
  profile: string,
  run: (place: Place) => Promise<number>,
): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'servery-guide-'));
  // Whoever runs this may have the settings of a real platform in the shell.
  const env = platformEnvironment({
    SERVERY_DATA_DIR: join(folder, '.servery'),
    SERVERY_PROFILE: profile,
    SERVERY_PORT: '0',
    SERVERY_LOG_LEVEL: 'warn',
    SERVERY_PROCESSOR: 'in-process',
    // The guide is no test of budgets.
    SERVERY_RATE_LIMIT_PER_SECOND: '1000',
  });
  const server = spawn(process.execPath, [SERVERY, 'start'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const url = await addressOf(server);
    putOnPath(folder);
    const path = [folder, process.env.PATH].join(delimiter);
    return await run({ folder, env: { ...env, PATH: path, SERVERY_URL: url } });
  } finally {
    if (server.exitCode === null && server.kill('SIGTERM')) await once(server, 'close');
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runShell(
  { folder, env }: Place,
  args: readonly string[],
  output: 'inherit' | 'pipe',
): Promise<{ code: number; out: string }> {
  const shell = spawn('bash', args, { cwd: folder, env, stdio: ['ignore', output, 'inherit'] });
  let out = '';
  shell.stdout?.setEncoding('utf8').on('data', (piece: string) => {
    out += piece;
  });
  const [code] = await once(shell, 'close');
  return { code: code ?? 1, out };
}

interface Block {
  readonly place: string;
  readonly commands: string;
  /** What the page shows below it; `…` stands for anything. Null if it shows nothing. */
  readonly shown: string | null;
}

/** Types every block of the pages, and compares what it prints with what the page shows. */
async function runPages(place: Place): Promise<number> {
  const beginning = blocksOf(BEGINNING).filter((_, index) => BEGINNING_BLOCKS.includes(index));
  const blocks = [...beginning, ...PAGES.flatMap(blocksOf)];
  const script = blocks.map(({ commands }) => `{\n${commands}} 2>&1\necho; echo '${END}'\n`);
  const { code, out } = await runShell(place, ['-euo', 'pipefail', '-c', script.join('')], 'pipe');
  const printed = out.split(`\n${END}\n`);
  let failed = 0;
  for (const [index, block] of blocks.entries()) {
    const text = (printed[index] ?? 'It was not reached.').trim();
    const isReached = index < printed.length - 1;
    if (isReached && (block.shown === null || patternOf(block.shown).test(text))) {
      console.log(`ok: ${block.place}`);
      continue;
    }
    failed += 1;
    console.error(`FAILED: ${block.place} shows\n${block.shown ?? ''}and printed\n${text}`);
    if (!isReached) break;
  }
  return failed > 0 ? 1 : code;
}

/** The blocks of commands of a page, each with the block of text below it. */
function blocksOf(page: string): Block[] {
  const [text = ''] = readFileSync(join(ROOT, page), 'utf8').split(UNTYPED);
  const blocks = text.matchAll(/^```sh\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?/gms);
  return [...blocks].map(({ index, 1: commands = '', 2: shown }) => ({
    place: `${page}:${text.slice(0, index).split('\n').length}`,
    commands,
    shown: shown ?? null,
  }));
}

/** Runs of blanks are one: columns are as wide as their values. */
function patternOf(shown: string): RegExp {
  const lines = shown.trim().split(/\s+/).map(RegExp.escape);
  return new RegExp(`^${lines.join('\\s+').replaceAll('…', '[^]*?')}$`);
}

/** Where the server listens, once it says so. */
async function addressOf(server: ChildProcess): Promise<string> {
  if (!server.stdout) throw new Error('the server has no output');
  for await (const line of createInterface({ input: server.stdout })) {
    const [, url] = /^servery ready (\S+)$/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error('the server did not start: see above');
}

/** A `servery` that runs what this repository publishes, on the Node.js that runs this. */
function putOnPath(folder: string): void {
  const file = join(folder, 'servery');
  writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' '${SERVERY}' "$@"\n`);
  chmodSync(file, 0o755);
}
