import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { type Comparison, compareRead, type Effort } from './compare.ts';
import { pinToCore } from './load.ts';
import { startPlatform } from './platform.ts';
import { readScenarios } from './scenarios/reads.ts';

const RESULTS = new URL('../results/', import.meta.url);
const LOAD_CORE = 1;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { smoke: { type: 'boolean', default: false } },
});
const effort: Effort = values.smoke
  ? { rounds: 1, secondsPerRound: 1 }
  : { rounds: 5, secondsPerRound: 3 };

await pinToCore(process.pid, Math.min(LOAD_CORE, cpus().length - 1));
const platform = await startPlatform();
const comparisons: Comparison[] = [];
try {
  for (const scenario of await readScenarios(platform)) {
    if (positionals.length > 0 && !positionals.some((name) => scenario.name.startsWith(name))) {
      continue;
    }
    const comparison = await compareRead(platform, scenario, effort);
    comparisons.push(comparison);
    process.stdout.write(`${line(comparison)}\n`);
  }
} finally {
  await platform.stop();
}
await report();

function line({ name, goal, ratio, product, ceiling }: Comparison): string {
  const rate = ({ median, least, most }: Comparison['product']) =>
    `${Math.round(median)}/s (${Math.round(least)}–${Math.round(most)})`;
  const verdict = ratio >= goal ? 'met' : 'missed';
  return (
    `${name}: ratio ${ratio.toFixed(3)}, goal ${goal} ${verdict}; ` +
    `product ${rate(product)} p99 ${product.p99Ms} ms; ` +
    `ceiling ${rate(ceiling)} p99 ${ceiling.p99Ms} ms`
  );
}

async function report(): Promise<void> {
  const [cpu] = cpus();
  const machine = {
    node: process.version,
    cpu: cpu?.model,
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    isPinned: platform.isPinned,
  };
  await mkdir(RESULTS, { recursive: true });
  const text = `${JSON.stringify({ machine, effort, comparisons }, null, 2)}\n`;
  await writeFile(new URL('latest.json', RESULTS), text);
}
