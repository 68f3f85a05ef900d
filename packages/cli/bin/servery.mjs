#!/usr/bin/env node
// The command runs on the Node.js that this repository brings, whatever older one started it.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const pinned = fileURLToPath(new URL('../../../node_modules/.bin/node', import.meta.url));
const isOld = Number(process.versions.node.split('.')[0]) < 24;
if (!isOld) {
  process.argv[1] = main;
  await import(main);
} else if (!existsSync(pinned)) {
  console.error('servery: Node.js 24 or newer is missing: run "node tools/setup.mjs" first.');
  process.exitCode = 1;
} else {
  // The child is in the same process group and gets the terminal's signals itself.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});
  const { status, signal } = spawnSync(pinned, [main, ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  process.exitCode = status ?? (signal ? 1 : 0);
}
