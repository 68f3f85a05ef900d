import assert from 'node:assert/strict';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { type Effort, ratios, side, takeTurns } from './compare.ts';
import { pinToCore } from './load.ts';
import { type MeasuredPlatform, startPlatform } from './platform.ts';
import { readScenarios } from './scenarios/reads.ts';

/**
 * What the log of requests costs: the same reads of a platform that keeps it and of one without
 * (`SERVERY_REQUEST_LOG_DAYS=0`), in turns. The ratio is the median of the rounds' ratios, with the
 * least and the greatest. `node bench/src/request-log.ts [NAME…]`, with `--smoke` for a second
 * each. Exit code 1 when a read loses more than three in a hundred.
 */
const LEAST_RATIO = 0.97;
const LOAD_CORE = 1;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { smoke: { type: 'boolean', default: false } },
});
const effort: Effort = values.smoke
  ? { rounds: 1, secondsPerRound: 1 }
  : { rounds: 9, secondsPerRound: 5 };

await pinToCore(process.pid, Math.min(LOAD_CORE, cpus().length - 1));
const without = await startPlatform({ SERVERY_REQUEST_LOG_DAYS: '0' });
const keeping = await startPlatform();
try {
  const scenarios = await Promise.all([without, keeping].map(readScenarios));
  for (const [index, scenario] of (scenarios[0] ?? []).entries()) {
    const isNamed = positionals.some((name) => scenario.name.startsWith(name));
    if (positionals.length > 0 && !isNamed) continue;
    const own = scenarios[1]?.[index];
    assert.ok(own);
    const rounds = await takeTurns([targetOf(without, scenario), targetOf(keeping, own)], effort);
    const [bareRounds = [], loggedRounds = []] = rounds;
    const [bare, logged] = [side(bareRounds), side(loggedRounds)];
    const ratio = ratios(loggedRounds, bareRounds);
    const verdict = ratio.median >= LEAST_RATIO ? 'met' : 'missed';
    if (verdict === 'missed' && !values.smoke) process.exitCode = 1;
    process.stdout.write(
      `request-log, ${scenario.name}: ratio ${ratio.median.toFixed(3)} ` +
        `(${ratio.least.toFixed(3)}–${ratio.most.toFixed(3)}), goal ${LEAST_RATIO} ${verdict}; ` +
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
