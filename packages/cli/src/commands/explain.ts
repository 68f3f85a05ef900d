import type { ExplainedStep, LoggedRequestDetails, Remedy } from '@servery/contract';
import { type AnyCommand, command } from '../command.ts';
import type { Shown } from '../shown.ts';
import { breakLines, type Look } from '../table.ts';
import { printable } from '../terminal.ts';
import { requestArgument } from '../values.ts';

const WIDTH = 80;
const marks = { PASSED: '✓', FAILED: '✗', SKIPPED: '–' } as const;

const commands: Readonly<Record<Remedy, string>> = {
  ADD_SCOPE: 'servery clients edit',
  CONNECT: 'servery connections connect',
  REMOVE_FAULT: 'servery faults list',
};

export const explainCommand: AnyCommand = command({
  name: 'explain',
  summary: 'Explain a response, check by check: why was this refused?',
  examples: ['servery explain 0192…'],
  arguments: { request: requestArgument },
  operation: 'backOffice.requests.get',
  show: (request): Shown => ({
    json: request,
    text: (look) => printable(treeOf(request, { ...look, width: Math.min(look.width, WIDTH) })),
  }),
});

function treeOf(request: LoggedRequestDetails, look: Look): string {
  const { explanation, operation, method, path, requestId, at } = request;
  const head = `${operation ?? method} ${request.status}\nrequest ${requestId} at ${at}\n`;
  if (explanation) return head + explanation.steps.map((step) => branch(step, look)).join('');
  const none =
    'The log has no explanation of this request. In production, send the header ' +
    '<Brand>-Explain: 1 with a request that you want explained.';
  return `${head}${method} ${path}\n${breakLines(none, look.width).join('\n')}\n`;
}

/** A step with its facts below it. Colors don't survive a pipe, so a mark shows a failure. */
function branch(step: ExplainedStep, { width, paint }: Look): string {
  const { check, result, title, details, advice, remedy } = step;
  const isLast = check === 'answer';
  const first = isLast ? '└─ ' : `├─ ${marks[result]} `;
  const rest = isLast ? '   ' : '│    ';
  const head = indented(title, first, rest, width);
  const command = remedy === null ? '' : ` Command: "${commands[remedy]}".`;
  const more = [...details, ...(advice === null ? [] : [`→ ${advice}${command}`])];
  const facts = more.flatMap((text) => indented(text, rest, `${rest}  `, width));
  const isShownBold = result === 'FAILED' && !isLast;
  return [...(isShownBold ? head.map(paint) : head), ...facts].map((line) => `${line}\n`).join('');
}

function indented(text: string, first: string, rest: string, width: number): string[] {
  const lines = breakLines(text, width - Math.max(first.length, rest.length));
  return lines.map((line, at) => `${at === 0 ? first : rest}${line}`);
}
