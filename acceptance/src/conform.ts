/**
 * Judges the platform that SERVERY_URL and SERVERY_DEMO name, and sends each check to the process
 * that started this one: `servery conform`.
 */
import path from 'node:path';
import { run } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/**
 * The files that need no platform of their own. Those of the back office alone are not here, and
 * oauth.test.ts, because its OAuth clients would be a fifth of what the package holds for this.
 */
const FILES = [
  new URL('./auth.test.ts', import.meta.url),
  new URL('./pipeline.test.ts', import.meta.url),
  new URL('./hostile.test.ts', import.meta.url),
  new URL('./conditional.test.ts', import.meta.url),
  new URL('./configuration.test.ts', import.meta.url),
  new URL('./configuration-values.test.ts', import.meta.url),
  new URL('./menus.test.ts', import.meta.url),
  new URL('./stock.test.ts', import.meta.url),
  new URL('./restaurants.test.ts', import.meta.url),
  new URL('./partners.test.ts', import.meta.url),
  new URL('./payments.test.ts', import.meta.url),
  new URL('./card-data.test.ts', import.meta.url),
  new URL('./payment-repeat.test.ts', import.meta.url),
  new URL('./own-payments.test.ts', import.meta.url),
  new URL('./orders.test.ts', import.meta.url),
  new URL('./operations.test.ts', import.meta.url),
];

const { values } = parseArgs({ options: { only: { type: 'string' } } });
const events = run({
  files: FILES.map((url) => fileURLToPath(url)),
  // One process: most of the time of each file is the loading of the same modules.
  isolation: 'none',
  ...(values.only === undefined ? {} : { testNamePatterns: [values.only] }),
});
for await (const { type, data } of events) {
  if ((type !== 'test:pass' && type !== 'test:fail') || data.nesting > 0) continue;
  const { name, details, skip } = data;
  if (skip !== undefined) continue;
  const error = type === 'test:fail' ? (details.error.cause ?? details.error) : null;
  const { name: kind, message } = (error ?? {}) as Partial<Error>;
  const isChecked = kind !== 'NotChecked';
  const outcome = error === null ? 'passed' : isChecked ? 'failed' : 'notChecked';
  process.send?.({
    title: titleOf(name),
    outcome,
    message: error === null ? null : String(message ?? error),
    durationMs: details.duration_ms,
  });
}
process.disconnect?.();

/** A file whose first lines failed counts as one check, which has its path as its name. */
function titleOf(name: string): string {
  if (!path.isAbsolute(name)) return name;
  return `${path.basename(name).replace(/\.test\..*/, '')}: its checks could not begin`;
}
