import { glob } from 'node:fs/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { globalSetup, globalTeardown } from './global-setup.ts';
import { announcePlatform } from './settings.ts';

const USAGE = `node acceptance/src/run.ts [--url ADDRESS --demo FILE] [PATTERN]

Judges the platform at ADDRESS, whose demo.json is FILE, and prints the results of node:test.
Without both it starts a platform of its own. PATTERN limits the run to tests whose titles match.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    url: { type: 'string' },
    demo: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
});

if (values.help || (values.url === undefined) !== (values.demo === undefined)) {
  console.error(USAGE);
  process.exit(values.help ? 0 : 2);
}
if (values.url !== undefined && values.demo !== undefined) {
  announcePlatform(values.url, values.demo);
}

const folder = fileURLToPath(new URL('.', import.meta.url));
const files: string[] = [];
for await (const file of glob('**/*.test.ts', { cwd: folder })) files.push(folder + file);

await globalSetup();
const events = run({
  files: files.sort(),
  // One file after the other: the budgets of a platform with default limits are small.
  concurrency: 1,
  ...(positionals[0] === undefined ? {} : { testNamePatterns: [positionals[0]] }),
});
events.on('test:fail', () => {
  process.exitCode = 1;
});
for await (const line of events.compose(spec())) process.stdout.write(String(line));
await globalTeardown();
