import type { Client } from '@servery/client/back-office';
import { machineTimer } from '@servery/support/timer.ts';
import type { Context } from '../command.ts';
import { invalidUsage } from '../exit-codes.ts';
import type { Judged } from '../judged/checks.ts';
import { type ReportFiles, shownReport } from '../judged/report.ts';
import { listOf } from '../readers.ts';
import type { Shown } from '../shown.ts';
import { withProgress } from '../terminal.ts';
import type { Scenario } from './scenario.ts';
import { scenarios } from './scenarios.ts';
import { Stage } from './stage.ts';

export interface CertifyOptions extends ReportFiles {
  readonly command: string;
  readonly only: string | undefined;
}

/** Where a run is interrupted, its sandbox is dropped by then. */
const LIFETIME = 'PT15M';

/** Runs an integration through scenarios, and judges it by the log of its requests. */
export async function certify(
  call: Context & { readonly client: Client },
  options: CertifyOptions,
): Promise<Shown> {
  const chosen = chosenBy(options.only);
  const checks: Judged[] = [];
  await withProgress(call.terminal, 'Scenarios', async (onProgress) => {
    for (const scenario of chosen) {
      checks.push(await judge(call, options.command, scenario));
      onProgress(checks.length, chosen.length);
    }
  });
  const report = { name: 'Certification', subject: options.command, checks };
  return await shownReport(report, options, call);
}

function chosenBy(only: string | undefined): readonly Scenario[] {
  if (only === undefined) return scenarios;
  return listOf(only).map((name) => {
    const found = scenarios.find((scenario) => scenario.name === name);
    if (found) return found;
    const names = scenarios.map((scenario) => scenario.name).join(', ');
    throw invalidUsage(`${name} is not a scenario. Use some of ${names}.`);
  });
}

async function judge(
  call: Context & { readonly client: Client },
  command: string,
  scenario: Scenario,
): Promise<Judged> {
  const beganMs = machineTimer.elapsedMs();
  const { name, demo } = await call.client.call('backOffice.sandboxes.create', {
    body: { from: { profile: 'demo' }, ttl: LIFETIME },
  });
  const stage = await Stage.open(call, command, demo);
  try {
    const { outcome, message, requests } = await scenario.run(stage);
    return {
      title: `${scenario.name}: ${scenario.title} (${scenario.rule})`,
      ...{ outcome, message, requestIds: requests.map(({ requestId }) => requestId) },
      durationMs: machineTimer.elapsedMs() - beganMs,
    };
  } finally {
    await stage.close();
    await call.client.call('backOffice.sandboxes.drop', { params: { name } });
  }
}
