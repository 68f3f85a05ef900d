import type { ReplayDifference, ReplayedRequest } from '@servery/contract';
import { type AnyCommand, command } from '../command.ts';
import { sandboxPlaceOf } from '../connection.ts';
import { jsonOrText } from '../edit.ts';
import { endsWith, invalidUsage } from '../exit-codes.ts';
import { aroundDifference } from '../field-changes.ts';
import { quoted } from '../readers.ts';
import { keepSandboxDemo, MAIN, sandboxName } from '../sandbox-accounts.ts';
import { type Columns, counted, type Shown, valueText } from '../shown.ts';
import { breakLines, type Look, renderTable } from '../table.ts';
import { printable } from '../terminal.ts';
import { as, loading, repeated, requestArgument, sandboxNames, text, toggle } from '../values.ts';
import { findTestCard } from './cards.ts';

const columns: Columns<ReplayDifference> = {
  place: 'path',
  before: (difference) => cutTexts(difference).before,
  after: (difference) => cutTexts(difference).after,
};

export const replayCommand: AnyCommand = command({
  name: 'replay',
  summary: 'Send a request again, by default into a new copy, and compare the responses',
  examples: [
    'servery requests replay 0192… --diff',
    `servery requests replay 0192… --into pull-42 --set '[0].quantity=3'`,
    'servery requests replay 0192… --card "Declined 51: Insufficient funds"',
  ],
  arguments: { request: requestArgument },
  options: {
    into: {
      ...as(
        'into',
        text('<sandbox>', 'a sandbox or main, which it changes (default: a new copy)', sandboxName),
      ),
      completions: sandboxNames,
    },
    set: as(
      null,
      loading(valuesOf, repeated('<place=value>', 'a new value: a field, parameter, or header')),
    ),
    card: loading(
      (written: string) => findTestCard(written).number,
      as('card', text('<card>', 'the test card to pay with: its number or its description')),
    ),
    diff: as(null, toggle('show what differs; exits with 5 if something does')),
  },
  operation: 'backOffice.requests.replay',
  run: async (call) => {
    const { request, options } = call;
    const { set } = options;
    const replayed = await call.ask({ body: { ...(request.body as object), ...(set && { set }) } });
    const { demo, into } = replayed;
    const kept = demo && (await keepSandboxDemo(call.env, sandboxPlaceOf(call, into), demo));
    return shown(replayed, { isDiff: options.diff === true, kept });
  },
});

function valuesOf(written: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    written.map((assignment) => {
      const at = assignment.indexOf('=');
      if (at >= 1) return [assignment.slice(0, at), jsonOrText(assignment.slice(at + 1))];
      throw invalidUsage(
        `--set ${quoted(assignment)} is not an assignment. Use place=value, for example ` +
          '[0].quantity=3.',
      );
    }),
  );
}

interface How {
  readonly isDiff: boolean;
  /** The file with the accounts of a new copy. */
  readonly kept: string | null;
}

function shown(replayed: ReplayedRequest, how: How): Shown {
  const { differenceCount, differences } = replayed;
  const notes = [
    ...(differenceCount > differences.length
      ? [`There are ${differenceCount} differences in all.`]
      : []),
    ...(differences.some(isCut) ? ['Long values are cut (…): --json shows them whole.'] : []),
  ];
  return {
    json: replayed,
    text: (look) => printable(textOf(replayed, how, look)),
    notes: how.isDiff ? notes : [],
    ...(how.isDiff && differenceCount > 0 && { failure: endsWith('differs') }),
  };
}

function textOf(replayed: ReplayedRequest, { isDiff, kept }: How, look: Look): string {
  const { status, into, expiresAt, requestId, notes, differences, differenceCount, answerBody } =
    replayed;
  const count = counted(differenceCount, 'difference');
  const found = differenceCount === 0 ? 'The responses are alike.' : `${count}.`;
  const hint = differenceCount > 0 && !isDiff ? [`--diff shows ${count}.`] : [found];
  const table = isDiff && differenceCount > 0 ? renderTable(columns, differences, look) : '';
  const body = isDiff || answerBody === null ? '' : `${answerBody}\n`;
  const before = [`${status} in ${into}`, `request ${requestId}`, ...notes];
  const said = (sentences: readonly string[]) =>
    sentences
      .flatMap((one) => breakLines(one, look.width))
      .map((line) => `${line}\n`)
      .join('');
  const until = kept === null ? [] : [`The copy ${into} exists until ${expiresAt}.`];
  const where = into === MAIN ? '' : ` --sandbox ${into}`;
  const after = said([...hint, ...until, 'To explain the response:']);
  // A command is copied whole.
  return `${said(before)}${body}${table}${after}  servery explain ${requestId}${where}\n`;
}

function cutTexts({ before, after }: ReplayDifference): { before: string; after: string } {
  const [one, other] = [wholeText(before), wholeText(after)];
  return { before: aroundDifference(one, other), after: aroundDifference(other, one) };
}

function isCut(difference: ReplayDifference): boolean {
  const { before, after } = cutTexts(difference);
  return before !== wholeText(difference.before) || after !== wholeText(difference.after);
}

/** Lines break at spaces, so an object has some. */
function wholeText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return valueText(value);
  return JSON.stringify(value, null, 1).replaceAll(/\n */g, ' ');
}
