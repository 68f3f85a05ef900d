import { readFileSync, statSync } from 'node:fs';
import { sleep } from '@servery/support/timer.ts';
import type { WantedPayment } from '../crash/payment-request.ts';
import type { Stage } from '../crash/stage.ts';
import type { CitusCluster } from './cluster.ts';
import { updateToTalking } from './cluster-store.ts';
import { countStatements, listStatements, type StatementCounts } from './coordinator-log.ts';
import { onNode } from './node.ts';
import { Payer } from './payer.ts';

const PAYMENTS = 40;
const IDLE_MS = 8_000;
/** After the requests, for the work that they leave. */
const REST_MS = 2_000;
/** What looks for due work asks all nodes, because it may be on any. */
const search = /^\s*select\b/i;
/** How many characters of a statement are shown. */
const SHOWN = 90;

/**
 * Makes payments one after another, and tells from the coordinator's log which statements each
 * request takes, without those of idle servers. Returns how many of them need several nodes, besides
 * searches: with one node away, those would fail for every restaurant.
 */
export async function tellStatements(
  stage: Stage<CitusCluster>,
  tell: (line: string) => void,
): Promise<number> {
  const payer = new Payer(stage);
  // Tokens, and what a server learns once.
  for (const payment of payer.want(3)) await liveWhole(payer, payment);
  await onNode(stage.postgres, ({ sql }) => updateToTalking(sql));
  const idle = listStatements(await logDuring(stage.postgres, () => sleep(IDLE_MS)));
  const payments = payer.want(PAYMENTS);
  const steps = {
    authorize: (payment: WantedPayment) => payer.authorize(payment),
    apply: (payment: WantedPayment) => payer.apply(payment),
    fulfil: (payment: WantedPayment) => payer.fulfil(payment),
    capture: (payment: WantedPayment) => payer.capture(payment),
  };
  let needingSeveral = 0;
  for (const [name, step] of Object.entries(steps)) {
    const log = await logDuring(stage.postgres, async () => {
      for (const payment of payments) await step(payment);
      await sleep(REST_MS);
    });
    const counts = countStatements(log, new Set(idle));
    tell(statementLine(name, counts, PAYMENTS));
    for (const [text, times] of counts.wide) {
      if (!search.test(text)) needingSeveral += 1;
      const begin = text.replaceAll(/\s+/g, ' ').slice(0, SHOWN);
      tell(`          on several nodes ${each(times, PAYMENTS)} times: ${begin}`);
    }
  }
  return needingSeveral;
}

async function liveWhole(payer: Payer, payment: WantedPayment): Promise<void> {
  await payer.authorize(payment);
  await payer.apply(payment);
  await payer.fulfil(payment);
  await payer.capture(payment);
}

/** What the node wrote meanwhile. */
async function logDuring(
  { logFile }: { readonly logFile: string },
  work: () => Promise<unknown>,
): Promise<string> {
  const from = statSync(logFile).size;
  await work();
  return readFileSync(logFile).subarray(from).toString();
}

function statementLine(name: string, counts: StatementCounts, payments: number): string {
  const { statements, atWorkers, shards, prepared } = counts;
  return (
    `${name.padEnd(9)} ${each(statements, payments)} statements, of which ` +
    `${each(atWorkers, payments)} ask workers: ${each(shards, payments)} commands to shards; ` +
    `${each(prepared, payments)} prepared parts`
  );
}

function each(count: number, payments: number): string {
  return (count / payments).toFixed(1);
}
