/**
 * Runs every check that needs no test, two at a time: `npm run check`. Ends with the checks that
 * failed, and how to fix what a program can fix.
 */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** A script of package.json with its arguments, the longest first, and the one that fixes it. */
const checks = [
  { run: 'tidy', fix: null },
  { run: 'lint', fix: 'format' },
  { run: 'typecheck', fix: null },
  { run: 'schema -- --check', fix: 'schema' },
  { run: 'unused', fix: null },
  { run: 'docs -- --check', fix: 'docs' },
  { run: 'openapi -- --check', fix: 'openapi' },
  { run: 'console-size', fix: null },
  { run: 'client-size', fix: null },
];
const AT_ONCE = 2;

const failed = new Set<string>();
const waiting = [...checks];
await Promise.all(Array.from({ length: AT_ONCE }, runWaiting));

const faults = checks.filter(({ run }) => failed.has(run));
for (const { run, fix } of faults) {
  console.error(`failed: npm run ${run}${fix === null ? '' : ` (npm run ${fix} fixes it)`}`);
}
if (faults.length > 0) process.exitCode = 1;

async function runWaiting(): Promise<void> {
  for (let check = waiting.shift(); check; check = waiting.shift()) {
    const { run } = check;
    const child = spawn('npm', ['run', '--silent', ...run.split(' ')], {
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    const isRight = (await ended) === 0;
    if (!isRight) failed.add(run);
    console.error(`${isRight ? 'passed' : 'failed'}: npm run ${run}`);
    if (!isRight) console.error(`${out}${errors}`);
  }
}
