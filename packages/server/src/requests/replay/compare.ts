import { type ReplayDifference, replayDifferencesAtMost } from '@servery/contract';
import { type DocumentPath, pathText } from '../../document/faults.ts';
import { isInstant } from './instants.ts';
import { isMadeNew, type LoggedExchange } from './made-new.ts';

/** A response as the log keeps it. */
export interface ComparedAnswer extends LoggedExchange {
  readonly requestId: string;
  readonly status: number;
  readonly answerHeaders: Readonly<Record<string, string>>;
  readonly answerBody: string | null;
}

export interface Compared {
  readonly differences: ReplayDifference[];
  readonly differenceCount: number;
}

/** `mainUrl` is the base address of main: those of sandboxes begin with it. */
export function compareAnswers(
  before: ComparedAnswer,
  after: ComparedAnswer,
  mainUrl: string,
): Compared {
  const differences: ReplayDifference[] = [];
  let differenceCount = 0;
  const parts = [before, after].map((answer) => partsOf(answer, mainUrl));
  walk([], parts[0], parts[1], (path, one, other) => {
    const isNew = isMadeNew(path, { value: one, by: before }, { value: other, by: after });
    if (isNew || (isInstant(one) && isInstant(other))) return;
    differenceCount += 1;
    if (differences.length >= replayDifferencesAtMost) return;
    differences.push({ path: pathText(path), before: one ?? null, after: other ?? null });
  });
  return { differences, differenceCount };
}

const SANDBOX = /\[base address\]\/sandboxes\/[a-z][a-z0-9-]*/g;

/** Without what no two responses have in common. */
function partsOf(
  { requestId, status, answerHeaders, answerBody }: ComparedAnswer,
  mainUrl: string,
) {
  const plain = (text: string) =>
    text
      .replaceAll(requestId, '[request ID]')
      .replaceAll(mainUrl, '[base address]')
      .replaceAll(SANDBOX, '[base address]');
  const headers = Object.fromEntries(
    Object.entries(answerHeaders).map(([name, text]) => [name, plain(text)]),
  );
  return { status, headers, body: answerBody === null ? null : parsed(plain(answerBody)) };
}

/** A long body was cut, and others are no JSON: compared as texts. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

type Report = (path: DocumentPath, before: unknown, after: unknown) => void;

function walk(path: DocumentPath, before: unknown, after: unknown, report: Report): void {
  if (isObject(before) && isObject(after) && Array.isArray(before) === Array.isArray(after)) {
    const isList = Array.isArray(before);
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      walk([...path, isList ? Number(name) : name], before[name], after[name], report);
    }
    return;
  }
  if ((before ?? null) !== (after ?? null)) report(path, before, after);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
