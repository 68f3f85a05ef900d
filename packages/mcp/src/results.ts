import type { CallToolResult } from '@modelcontextprotocol/server';
import { NoAnswer, NotAPlatform, PlatformFailed, Refused } from '@servery/client/back-office';
import { secretFields } from '@servery/contract';
import { WrongArguments } from './arguments.ts';

/** Assistants can't take in more. */
const CHARACTERS_AT_MOST = 200_000;
const WITHHELD = '[withheld]';
const OUTCOME_UNKNOWN =
  'It is not known whether it was done. Check the current state before you repeat it.';

interface Given {
  /** Fields that no assistant gets. */
  readonly omitted?: readonly string[];
  /** What else there is to say. */
  readonly notes?: readonly string[];
  /** Whether the call changed nothing. */
  readonly isRead: boolean;
}

export function resultOf(
  json: object,
  { omitted = [], notes = [], isRead }: Given,
): CallToolResult {
  const content = withoutSecrets(json, omitted) as Record<string, unknown>;
  const text = JSON.stringify(content);
  const isLong = text.length > CHARACTERS_AT_MOST;
  const size = `the result has ${text.length} characters, too many to show.`;
  if (isLong && isRead) {
    return failed(`Nothing is shown: ${size} Ask for less: use a filter, or a smaller pageSize.`);
  }
  const texts = [isLong ? `It was done, but ${size}` : text, ...notes];
  return {
    content: texts.map((one) => ({ type: 'text', text: one })),
    structuredContent: isLong ? {} : content,
  };
}

export function failed(message: string, details: Record<string, unknown> = {}): CallToolResult {
  return {
    isError: true,
    content: [{ type: 'text', text: message }],
    structuredContent: { message, ...details },
  };
}

interface Advice {
  /** Whether the tool `explain_request` is there. */
  readonly mayExplain: boolean;
  /** What to do when no one knows what became of the call; null if there is no such advice. */
  readonly repeating: string | null;
}

/** What went wrong, and what to do. */
export function failureOf(error: unknown, { mayExplain, repeating }: Advice): CallToolResult {
  if (error instanceof WrongArguments) return failed(error.message);
  if (error instanceof Refused) {
    const { status, code, faults, requestId } = error;
    const unsaid = faults.filter(
      ({ message }) => !error.message.includes(message.replace(/^[^:]*: /, '')),
    );
    const lines = [error.message, ...unsaid.map(({ message }) => `- ${message}`)];
    const advice = mayExplain && requestId !== null;
    return failed(
      [
        `The platform refused with ${status}: ${lines.join('\n')}`,
        ...(advice ? [`To find out why, call explain_request with requestId ${requestId}.`] : []),
      ].join('\n'),
      { status, code, faults, requestId },
    );
  }
  if (error instanceof PlatformFailed) {
    const { status, requestId } = error;
    const message = `The platform failed with ${status}: ${error.message}`;
    return failed([message, repeating ?? []].flat().join(' '), { status, requestId });
  }
  if (error instanceof NoAnswer) {
    const advice = error.isOutcomeUnknown ? (repeating ?? OUTCOME_UNKNOWN) : 'Try again.';
    return failed(`${error.message} ${advice}`);
  }
  if (error instanceof NotAPlatform) return failed(error.message);
  throw error;
}

function withoutSecrets(value: unknown, omitted: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutSecrets(one, omitted));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => !omitted.includes(name));
  return Object.fromEntries(
    entries.map(([name, inner]) => [
      name,
      secretFields.includes(name) && inner !== null ? WITHHELD : withoutSecrets(inner, omitted),
    ]),
  );
}
