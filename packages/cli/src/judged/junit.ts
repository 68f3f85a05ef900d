import type { Judged, Report } from './checks.ts';
import { escaped } from './html.ts';

/** The format that CI systems read: one test case for each check. */
export function junitOf({ name, subject, checks }: Report): string {
  const failures = checks.filter(({ outcome }) => outcome === 'failed').length;
  const skipped = checks.filter(isSkipped).length;
  const seconds = secondsOf(checks.reduce((sum, { durationMs }) => sum + durationMs, 0));
  const suite =
    `<testsuite name="${escaped(`${name}: ${subject}`)}" tests="${checks.length}" ` +
    `failures="${failures}" errors="0" skipped="${skipped}" time="${seconds}">`;
  const cases = checks.map((check) => caseOf(name, check));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites>${suite}`,
    ...cases,
    '</testsuite></testsuites>',
    '',
  ].join('\n');
}

function isSkipped({ outcome }: Judged): boolean {
  return outcome === 'notChecked' || outcome === 'expected';
}

function caseOf(suite: string, check: Judged): string {
  const { title, message, requestIds = [], durationMs, outcome } = check;
  const text = [message ?? '', ...requestIds.map((id) => `request ${id}`)].join('\n').trim();
  const inside =
    outcome === 'passed'
      ? text && `<system-out>${escaped(text)}</system-out>`
      : isSkipped(check)
        ? `<skipped message="${escaped(text)}"/>`
        : `<failure message="${escaped(text.split('\n')[0] ?? '')}">${escaped(text)}</failure>`;
  return (
    `<testcase classname="${escaped(suite)}" name="${escaped(title)}" ` +
    `time="${secondsOf(durationMs)}">${inside}</testcase>`
  );
}

function secondsOf(durationMs: number): string {
  return (durationMs / 1_000).toFixed(3);
}
