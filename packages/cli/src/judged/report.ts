import type { Context } from '../command.ts';
import { type CommandFailure, endsWith } from '../exit-codes.ts';
import { toTarget } from '../output-file.ts';
import type { Shown } from '../shown.ts';
import { text, toggle } from '../values.ts';
import { type Judged, type Outcome, type Report, summaryOf } from './checks.ts';
import { htmlOf } from './html.ts';
import { junitOf } from './junit.ts';

export const reportOptions = {
  html: text('<file>', 'write a report as a page'),
  junit: text('<file>', 'write a report as JUnit XML'),
  verbose: toggle('also show what passed'),
};

export interface ReportFiles {
  readonly html: string | undefined;
  readonly junit: string | undefined;
  readonly verbose: boolean | undefined;
}

const MARKS: Readonly<Record<Outcome, string>> = {
  passed: 'ok',
  failed: 'FAILED',
  notChecked: 'not checked',
  expected: 'failed, as expected',
};

/** Writes the reports that were asked for, and shows the rest. A failed check is a failure. */
export async function shownReport(
  report: Report,
  { html, junit, verbose }: ReportFiles,
  call: Pick<Context, 'terminal' | 'signal'>,
): Promise<Shown> {
  if (html !== undefined) await toTarget(html, call, async (write) => await write(htmlOf(report)));
  if (junit !== undefined)
    await toTarget(junit, call, async (write) => await write(junitOf(report)));
  const shown = report.checks.filter(({ outcome }) => verbose || outcome !== 'passed');
  return {
    json: report,
    text: () => `${shown.map(lineOf).join('')}${summaryOf(report.checks)}\n`,
    ...failureOf(report.checks),
  };
}

function failureOf(checks: readonly Judged[]): { readonly failure?: CommandFailure } {
  const isFailed = checks.some(({ outcome }) => outcome === 'failed');
  return isFailed ? { failure: endsWith('failed') } : {};
}

function lineOf({ title, outcome, message, requestIds = [] }: Judged): string {
  const more = [message ?? '', ...requestIds.map((id) => `request ${id}`)];
  const lines = more.filter((line) => line !== '').map((line) => line.replaceAll(/^/gm, '    '));
  return `${[`${MARKS[outcome]}: ${title}`, ...lines].join('\n')}\n`;
}
