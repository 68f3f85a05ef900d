import assert from 'node:assert/strict';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { type Effort, side, takeTurns } from './compare.ts';
import { pinToCore } from './load.ts';
import { type MeasuredPlatform, startPlatform } from './platform.ts';
import { readScenarios } from './scenarios/reads.ts';

/**
 * What the log of requests costs: the same reads of a platform that keeps it and of one without
 * (`SERVERY_REQUEST_LOG_DAYS=0`), in turns. `node bench/src/request-log.ts`, with `--smoke` for a
 * second each. Exit code 1 when a read loses more than three in a hundred.
 */
const LEAST_RATIO = 0.97;
const LOAD_CORE = 1;

const { values } = parseArgs({ options: { smoke: { type: 'boolean', default: false } } });
const effort: Effort = values.smoke
  ? { rounds: 1, secondsPerRound: 1 }
  : { rounds: 9, secondsPerRound: 5 };

await pinToCore(process.pid, Math.min(LOAD_CORE, cpus().length - 1));
const without = await startPlatform({ SERVERY_REQUEST_LOG_DAYS: '0' });
const keeping = await startPlatform();
try {
  const scenarios = await Promise.all([without, keeping].map(readScenarios));
  for (const [index, scenario] of (scenarios[0] ?? []).entries()) {
    const own = scenarios[1]?.[index];
    assert.ok(own);
    const rounds = await takeTurns([targetOf(without, scenario), targetOf(keeping, own)], effort);
    const [bare, logged] = rounds.map(side);
    assert.ok(bare && logged);
    const ratio = logged.median / bare.median;
    const verdict = ratio >= LEAST_RATIO ? 'met' : 'missed';
    if (ratio < LEAST_RATIO && !values.smoke) process.exitCode = 1;
    process.stdout.write(
      `request-log, ${scenario.name}: ratio ${ratio.toFixed(3)}, goal ${LEAST_RATIO} ${verdict}; ` +
        `with ${Math.round(logged.median)}/s p99 ${logged.p99Ms} ms, ` +
        `without ${Math.round(bare.median)}/s p99 ${bare.p99Ms} ms\n`,
    );
  }
} finally {
  await Promise.all([without.stop(), keeping.stop()]);
}

function targetOf(
  platform: MeasuredPlatform,
  { path, headers, status }: Awaited<ReturnType<typeof readScenarios>>[number],
) {
  return { url: platform.url + path, headers: { ...platform.headers, ...headers }, status };
}
