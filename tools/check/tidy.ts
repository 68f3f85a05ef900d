/**
 * The style as a test: reads every file of the repository and tells what breaks the rules of
 * ARCHITECTURE.md and CONTRIBUTING.md, each with what to use instead. Exit code 1 with findings.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { applyExceptions } from './tidy/exceptions.ts';
import { describeFinding } from './tidy/finding.ts';
import { findAll } from './tidy/rules.ts';
import { readSource } from './tidy/source.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TEXT = /\.(ts|tsx|mts|mjs|js|sql|css|html|md|json|yaml|yml)$|(^|\/)[^.]+$|(^|\/)\.[^/]+$/;

const startedAtMs = performance.now();
const sources = listFiles().map((path) => readSource(path, readFileSync(join(ROOT, path), 'utf8')));
const findings = applyExceptions(findAll(sources));
for (const finding of findings) process.stdout.write(`${describeFinding(finding)}\n`);
const seconds = ((performance.now() - startedAtMs) / 1000).toFixed(1);
const verdict = findings.length === 0 ? 'tidy' : `${findings.length} findings`;
process.stdout.write(`${verdict}: ${sources.length} files in ${seconds} s\n`);
process.exitCode = findings.length === 0 ? 0 : 1;

/** What git has or would add, so that data folders and other people's packages are left out. */
function listFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return [...new Set(listed.split('\0'))]
    .filter((path) => TEXT.test(path) && existsSync(join(ROOT, path)))
    .sort();
}
