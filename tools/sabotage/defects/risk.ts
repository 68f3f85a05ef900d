// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Pieces of code stand here as text.
import type { Defect } from '../defect.ts';

const SOURCE = 'packages/server/src/payments';
const TESTS = 'packages/server/test/payments';

/** Defects of the limits against card testing, of retention, and card numbers in texts. */
export const riskDefects: readonly Defect[] = [
  {
    name: 'risk-limit-unheeded',
    file: `${SOURCE}/velocity-store.ts`,
    find: '      <= ${limit}::bigint * ${windowMs}::bigint',
    replace: '      <= ${limit}::bigint * ${windowMs}::bigint + ${windowMs}::bigint',
    why: 'One payment more than the limit would pass.',
    caughtBy: { file: `${TESTS}/velocity.test.ts`, name: /of 64 at once over two pools/ },
  },
  {
    name: 'risk-window-ends-at-once',
    file: `${SOURCE}/velocity-store.ts`,
    find: 'when v.window_index = excluded.window_index - 1 then v.used',
    replace: 'when v.window_index = excluded.window_index - 1 then 0',
    why: 'At the end of a window twice the limit would pass within a second.',
    caughtBy: { file: `${TESTS}/velocity.test.ts`, name: /the end of a window frees nothing/ },
  },
  {
    name: 'risk-refusals-are-charged',
    file: `${SOURCE}/velocity-store.ts`,
    find: 'condition = sql`exists (select from ${name})`;',
    replace: '',
    why: 'Whoever is stopped by a narrow limit could close a restaurant for its guests.',
    caughtBy: { file: `${TESTS}/velocity.test.ts`, name: /does not use up a wide one/ },
  },
  {
    name: 'risk-repeats-are-counted',
    file: `${SOURCE}/intent-store.ts`,
    find: 'velocitySteps(sql, counts, isFree)',
    replace: 'velocitySteps(sql, counts, sql`true`)',
    why: 'A partner that asks again for an answer that was lost would wait for its other payments.',
    caughtBy: { file: `${TESTS}/velocity.test.ts`, name: /rows that stay held/ },
  },
  {
    name: 'risk-racing-repeats-are-counted',
    file: `${SOURCE}/intent-store.ts`,
    find: 'from verdict where ${isFree}\n',
    replace: 'from verdict where ${isFree} on conflict do nothing\n',
    why: 'A partner that sends a payment twice at once would use up its limits by it.',
    caughtBy: { file: `${TESTS}/velocity.test.ts`, name: /of two identical PUTs at once/ },
  },
  {
    name: 'risk-racing-repeats-are-failures',
    file: `${SOURCE}/record-intent.ts`,
    find: 'if (counted && isSqlState(error, UNIQUE_VIOLATION)) return null;',
    replace: '',
    why: 'Of two identical requests at once one would be answered like a defect of ours.',
    caughtBy: { file: `${TESTS}/velocity.test.ts`, name: /of two identical PUTs at once/ },
  },
  {
    name: 'risk-card-counted-by-its-end',
    file: `${SOURCE}/velocity.ts`,
    find: 'return [card.reveal().cardNumber];',
    replace: 'return [card.last4];',
    why: 'Guests whose cards end alike would stop each other.',
    caughtBy: {
      file: `${TESTS}/velocity.test.ts`,
      name: /cards that begin and end alike are others/,
    },
  },
  {
    name: 'risk-refusal-untold',
    file: `${SOURCE}/record-intent.ts`,
    find: 'observer?.velocityRefused(limit);',
    replace: '',
    why: 'Nobody would see that cards are being tried out, or that a limit is too low.',
    caughtBy: {
      file: `${TESTS}/velocity.test.ts`,
      name: /a refusal is counted and told once/,
    },
  },
  {
    name: 'risk-refusal-tells-the-card',
    file: `${SOURCE}/record-intent.ts`,
    find: 'log.info({ limit, merchantGuid,',
    replace: 'log.info({ limit, card: payment.cardDigest, merchantGuid,',
    why: 'The log would hold what tells one card from another.',
    caughtBy: {
      file: `${TESTS}/velocity.test.ts`,
      name: /a refusal is counted and told once/,
    },
  },
  {
    name: 'risk-refusal-of-another-try',
    file: `${SOURCE}/record-intent.ts`,
    find: 'recordedAs(recordedBy) ?? intent;',
    replace: 'intent;',
    why: 'A refusal would be counted as a payment that was sent to the processor.',
    caughtBy: {
      file: `${TESTS}/velocity.test.ts`,
      name: /a refusal whose COMMIT was not answered/,
    },
  },
  {
    name: 'risk-counts-held-by-who-stopped',
    file: `${SOURCE}/record-intent.ts`,
    find: 'idleTimeoutMs: 2_000',
    replace: 'idleTimeoutMs: 0',
    why: 'A process that stops while it records one payment would stop all payments of a partner.',
    caughtBy: { file: `${TESTS}/velocity.test.ts`, name: /who stops while recording/ },
  },
  {
    name: 'risk-counts-held-in-turn',
    file: `${SOURCE}/record-intent.ts`,
    find: 'statementTimeoutMs: 3_000',
    replace: 'statementTimeoutMs: 0',
    why: 'What a stopped process waits for it would hold in turn, 2 s for each of its payments.',
    caughtBy: { file: `${TESTS}/velocity.test.ts`, name: /who stops while recording/ },
  },
  {
    name: 'risk-held-counts-are-a-defect',
    file: `${SOURCE}/record-intent.ts`,
    find: 'if (!isFirst) throw held(error);',
    replace: 'if (!isFirst) throw error;',
    why: 'A payment that surely was not processed would be answered like a defect of ours.',
    caughtBy: { file: `${TESTS}/velocity.test.ts`, name: /rows that stay held/ },
  },
  {
    name: 'retention-of-the-living',
    file: `${SOURCE}/retention.ts`,
    find: "'CAPTURED', 'VOIDED'];",
    replace: "'CAPTURED', 'VOIDED', 'REVIEW'];",
    why: 'The person who has to decide would find nothing of the guest any more.',
    caughtBy: { file: `${TESTS}/retention.test.ts`, name: /a payment in REVIEW keeps/ },
  },
  {
    name: 'retention-is-early',
    file: `${SOURCE}/retention.ts`,
    find: 'cutoff: new Date(nowMs - retentionMs)',
    replace: 'cutoff: new Date(nowMs - retentionMs + 1)',
    why: 'Guest data would be gone before their time.',
    caughtBy: { file: `${TESTS}/retention.test.ts`, name: /go after the set time/ },
  },
  {
    name: 'risk-foreign-number-stored',
    file: `${SOURCE}/card-number-removal.ts`,
    find: 'withoutOwn.replaceAll(DIGIT_GROUPS, removeFrom)',
    replace: 'withoutOwn',
    why: 'A card number that a guest wrote into a text would be stored with it.',
    caughtBy: {
      file: `${SOURCE}/card-number-removal.test.ts`,
      name: /another card number goes as well/,
    },
  },
  {
    name: 'risk-short-texts-not-looked-through',
    file: `${SOURCE}/card-number-removal.ts`,
    find: 'if (!hasDigits(text, ',
    replace: 'if (!hasDigits(text, 1 + ',
    why: 'A text that is a card number and nothing else would be stored.',
    caughtBy: {
      file: `${SOURCE}/card-number-removal.test.ts`,
      name: /what it takes for a number is what the brands give/,
    },
  },
  {
    name: 'risk-card-numbers-of-any-length',
    file: `${SOURCE}/card-number-removal.ts`,
    find: 'cardTypeOf(digits)?.lengths.includes(digits.length)',
    replace: 'cardTypeOf(digits)',
    why: 'Order numbers and the like would be taken out of texts as if they were cards.',
    caughtBy: {
      file: `${SOURCE}/card-number-removal.test.ts`,
      name: /what it takes for a number is what the brands give/,
    },
  },
];
