#!/usr/bin/env node
// The command runs on the Node.js that this repository brings, whatever older one started it.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import nodeModule from 'node:module';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const pinned = fileURLToPath(new URL('../../../node_modules/.bin/node', import.meta.url));
const isOld = Number(process.versions.node.split('.')[0]) < 24;
if (!isOld) {
  process.argv[1] = main;
  // Before anything else is loaded: what was loaded already is compiled anew each time.
  nodeModule.enableCompileCache?.();
  await import(main);
} else if (!existsSync(pinned)) {
  console.error('servery: Node.js 24 or newer is missing: run "node tools/setup.mjs" first.');
  process.exitCode = 1;
} else {
  const child = spawn(pinned, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  // A terminal sends Ctrl-C to the child too; twice would mean "at once".
  const hasTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);
  process.on('SIGINT', () => hasTerminal || child.kill('SIGINT'));
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal];
  });
}
