#!/usr/bin/env node
// The `servery` of the published package. An older Node.js gets a sentence instead of what it can't
// parse, so this file has only what Node.js 18 knows.
import { readFileSync } from 'node:fs';
import nodeModule from 'node:module';
import os from 'node:os';
import { fileURLToPath } from 'node:url';

const OLDEST_NODE_MAJOR = 24;
const [first, ...others] = process.argv.slice(2);

if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE_MAJOR) {
  console.error(
    `servery: Node.js ${OLDEST_NODE_MAJOR} or newer is needed, and this is ${process.version}:` +
      ' install a newer one (nodejs.org), and run this again.',
  );
  process.exitCode = 1;
} else if (others.length === 0 && (first === '--version' || first === '-V')) {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  console.log(JSON.parse(manifest).version);
} else {
  // As in the server's own start: libuv takes it with the first use of a thread.
  if (first === 'start') {
    process.env.UV_THREADPOOL_SIZE ??= String(Math.max(4, os.availableParallelism()));
  }
  // Before anything else is loaded: what was loaded already is compiled anew each time.
  const kept = fileURLToPath(new URL('../node_modules/.cache/node-compile', import.meta.url));
  const { status } = nodeModule.enableCompileCache(kept);
  if (status === nodeModule.constants.compileCacheStatus.FAILED) nodeModule.enableCompileCache();
  const main = new URL('../lib/cli.mjs', import.meta.url);
  process.argv[1] = fileURLToPath(main);
  await import(main.href);
}
