import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasCome } from './staleness/faults.ts';
import { reportLines } from './staleness/report.ts';
import { playStaleness } from './staleness/run.ts';
import { buildStage } from './staleness/stage.ts';

const SEED = 20_261_122;
const PROCESSES = 2;
/** More than a fast machine reads in that time: faults and changes come with the time. */
const READS = 60_000;
const LONGEST_MS = 1_500;
const READERS = 3;
/** Fewer prove nothing; a machine that does other things too is given the time. */
const FEWEST_READS = 1_000;
/** Building the stage takes longer than playing on it. */
const HAS_TIME = { timeout: 300_000 };
const FAULTS = ['pause', 'cut', 'sessions'] as const;
/** So short that each fault comes even on a slow machine. */
const FAULT_PAUSES_MS = [200, 600] as const;

test(
  `staleness AUTH-9 CFG-9: no answer is stale, late or mixed, seed ${SEED}`,
  HAS_TIME,
  async (t) => {
    const stage = await buildStage(PROCESSES);
    t.after(() => stage.close());
    const report = await playStaleness(
      stage,
      {
        ...{
          reads: READS,
          leastReads: FEWEST_READS,
          durationMs: LONGEST_MS,
          readers: READERS,
          seed: SEED,
        },
        ...{ faults: FAULTS, faultPausesMs: FAULT_PAUSES_MS },
        ...{ isStrict: false, endsAtViolations: 10 },
      },
      (line) => t.diagnostic(line),
    );
    const lines = reportLines(report);
    for (const line of lines) t.diagnostic(line);
    const { violations, violationCount, reads } = report.tally;
    const [first] = violations.map(({ kind, operation, text }) => `${kind}: ${operation}: ${text}`);
    assert.equal(violationCount, 0, first ?? '');
    assert.ok(reads >= FEWEST_READS, `only ${reads} reads`);
    for (const fault of FAULTS) assert.ok(hasCome(report.tally, fault), `${fault} never came`);
  },
);
