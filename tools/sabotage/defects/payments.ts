// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Pieces of code stand here as text.
import type { Defect } from '../defect.ts';

const SOURCE = 'packages/server/src/payments';
const TESTS = 'packages/server/test/payments';

/** Defects of card payments: money held twice, wrongly, or unrecorded, and card data that leaks. */
export const paymentDefects: readonly Defect[] = [
  {
    name: 'payments-answer-before-commit',
    file: `${SOURCE}/authorize.ts`,
    find: 'const { isOurs, payment: recorded } = await recordOutcome(deps, payment, move);',
    replace: `void recordOutcome(deps, payment, move).catch(() => {});
    const isOurs = true;
    const recorded = { ...payment, ...move.change, state: 'AUTHORIZED' as const };`,
    why: 'A partner would be told of money that the database may never hear of.',
    caughtBy: { file: `${TESTS}/durability.test.ts`, name: /I2: an unrecorded outcome is/ },
  },
  {
    name: 'payments-call-before-intent',
    file: `${SOURCE}/authorize.ts`,
    find: 'const recorded = await recordIntent(deps, key, async (sql) => {',
    replace: `const early = makeIntent(deps.vault, { ...facts, refusal: null });
  await askProcessor(deps, early.payment, request, card);
  const recorded = await recordIntent(deps, key, async (sql) => {`,
    why: 'A process that died after the call would leave a hold that nobody knows of.',
    caughtBy: { file: `${TESTS}/durability.test.ts`, name: /I1: the intent is committed before/ },
  },
  {
    name: 'payments-no-on-conflict',
    file: `${SOURCE}/store.ts`,
    find: '\n    on conflict do nothing`',
    replace: '`',
    why: 'The repeats of a payment would be failures instead of answers.',
    caughtBy: { file: `${TESTS}/repeats.test.ts`, name: /I1: 64 identical PUTs at once/ },
  },
  {
    name: 'payments-processor-key-random',
    file: `${SOURCE}/processor.ts`,
    find: 'return `auth:${paymentId}:${attempt}`;',
    replace: 'return `auth:${paymentId}:${attempt}:${Math.random()}`;',
    why: 'What became of a call could not be inquired: its key would be nowhere.',
    caughtBy: { file: `${TESTS}/durability.test.ts`, name: /I1: the processor gets the key/ },
  },
  {
    name: 'payments-attempts-share-key',
    file: `${SOURCE}/authorize.ts`,
    find: 'const attempt = payment.attempt + 1;',
    replace: 'const attempt = payment.attempt;',
    why: 'A new attempt would get the answer of the one that failed.',
    caughtBy: { file: `${TESTS}/repeats.test.ts`, name: /P7: what was not processed is tried/ },
  },
  {
    name: 'payments-digest-without-amount',
    file: `${SOURCE}/intent.ts`,
    find: '[request.currencyCode, request.amountMinor, request.tipMinor],',
    replace: '[request.currencyCode],',
    why: 'A PUT of another amount would be taken for a repeat, and the difference never be paid.',
    caughtBy: { file: `${TESTS}/repeats.test.ts`, name: /409 P7: other content is refused/ },
  },
  {
    name: 'payments-digest-without-card',
    file: `${SOURCE}/intent.ts`,
    find: '[cardNumber, zipCode, expMonth, expYear, country],',
    replace: '[zipCode, country],',
    why: 'A second guest would be told that the first one’s card had paid.',
    caughtBy: { file: `${TESTS}/repeats.test.ts`, name: /409 P7: other content is refused/ },
  },
  {
    name: 'payments-foreign-repeat-replayed',
    file: `${SOURCE}/repeats.ts`,
    find: 'if (payment.clientId !== facts.clientId) throw taken();',
    replace: '',
    why: 'Another client would see a payment that is not its own.',
    caughtBy: { file: `${TESTS}/repeats.test.ts`, name: /409 P7: another client learns nothing/ },
  },
  {
    name: 'payments-voided-repeat-shown',
    file: `${SOURCE}/repeats.ts`,
    find: 'if (wireState(payment) === null) throw changedSince();',
    replace: "if (wireState(payment) === null) return 'again';",
    why: 'A payment that was voided would be asked of the processor once more.',
    caughtBy: { file: `${TESTS}/repeats.test.ts`, name: /409 P7: a payment changed since/ },
  },
  {
    name: 'payments-denied-with-metadata',
    file: `${SOURCE}/status.ts`,
    find: "paymentState === 'AUTHORIZED' && authorizationCode !== null;",
    replace: "paymentState !== 'ACKNOWLEDGED';",
    why: 'A refused payment would look like one that can be captured.',
    caughtBy: { file: `${TESTS}/authorize.test.ts`, name: /P5: a refusal of the issuer is DENIED/ },
  },
  {
    name: 'payments-tip-forgotten',
    file: `${SOURCE}/authorize.ts`,
    find: 'amountMinor: payment.amountMinor + payment.tipMinor,',
    replace: 'amountMinor: payment.amountMinor,',
    why: 'The tip would be promised to the staff and held on no card.',
    caughtBy: { file: `${TESTS}/authorize.test.ts`, name: /P6: the processor is asked for minor/ },
  },
  {
    name: 'payments-amount-rounded',
    file: `${SOURCE}/money.ts`,
    find: 'if (exact.minus(whole).abs().gt(FLOAT_NOISE)) {',
    replace: 'if (false) {',
    why: 'An amount that no currency has would be charged as another one.',
    caughtBy: { file: `${SOURCE}/money.test.ts`, name: /422 P6: an amount between two minor/ },
  },
  {
    name: 'payments-amount-truncated',
    file: `${SOURCE}/money.ts`,
    find: 'return { amountMinor: Math.abs(whole.toNumber()) };',
    replace: 'return { amountMinor: Math.trunc(value * 10 ** count) };',
    why: 'The binary form of 1.13 is below it, and a cent would be lost.',
    caughtBy: { file: `${SOURCE}/money.test.ts`, name: /P6: decimal text is read without/ },
  },
  {
    name: 'payments-currency-decimals-ignored',
    file: `${SOURCE}/money.ts`,
    find: '.div(new Big(10).pow(minorUnitDecimals(currencyCode)))',
    replace: '.div(100)',
    why: 'Yen and dinars would be answered a hundredfold too small or ten times too large.',
    caughtBy: { file: `${SOURCE}/money.test.ts`, name: /P6: every amount goes to the wire/ },
  },
  {
    name: 'payments-other-amount-believed',
    file: `${SOURCE}/outcome.ts`,
    find: 'return answer.amountMinor === asked && answer.currencyCode',
    replace: 'return answer.currencyCode',
    why: 'An approval of another amount would be taken for the one that was asked for.',
    caughtBy: { file: `${TESTS}/durability.test.ts`, name: /P8: an approval of another amount/ },
  },
  {
    name: 'payments-silence-means-no',
    file: `${SOURCE}/outcome.ts`,
    find: 'return lostMove(answer.explanation, nowMs);',
    replace: 'return notProcessedMove(answer.explanation, nowMs);',
    why: 'A hold whose answer was lost would be made a second time.',
    caughtBy: { file: `${TESTS}/durability.test.ts`, name: /P8: 15 s of silence give/ },
  },
  {
    name: 'payments-lost-commit-is-failure',
    file: `${SOURCE}/record.ts`,
    find: 'if (!(error instanceof CommitUnknownError) || tried === TRIES) throw error;',
    replace: 'throw error;',
    why: 'A payment that was recorded would be answered as one that was not.',
    caughtBy: { file: `${TESTS}/durability.test.ts`, name: /I2: a lost COMMIT of the intent/ },
  },
  {
    name: 'payments-guid-for-each-try',
    file: `${SOURCE}/record.ts`,
    find: 'return await recordMoveAs(deps, payment, move, guids);',
    replace: 'return await recordMoveAs(deps, payment, move, newMoveGuids());',
    why: 'An approval whose COMMIT was not answered for long would be taken for somebody else’s.',
    caughtBy: {
      file: `${TESTS}/outage.test.ts`,
      name: /I5: COMMITs that were done but not answered/,
    },
  },
  {
    name: 'payments-retired-key-accepted',
    file: `${SOURCE}/card-key-store.ts`,
    find: "and state in ('ACTIVE', 'DECRYPT_ONLY') and (",
    replace: "and state <> 'DESTROYED' and (",
    why: 'A key that is not in use would open card data.',
    caughtBy: { file: `${TESTS}/card-keys.test.ts`, name: /422 P3: pending and retired keys/ },
  },
  {
    name: 'payments-foreign-key-accepted',
    file: `${SOURCE}/card-key-store.ts`,
    find: `where client_id = \${clientId}
      and \${keyId === null`,
    replace: `where true
      and \${keyId === null`,
    why: 'One client could use the card key of another.',
    caughtBy: { file: `${TESTS}/card-keys.test.ts`, name: /422 P3: unknown and foreign keys/ },
  },
  {
    name: 'payments-key-past-its-end',
    file: `${SOURCE}/card-key-store.ts`,
    find: `(not_after is null or not_after > \${now})
    order by created_at desc, key_id desc
    limit 10\``,
    replace: `true
    order by created_at desc, key_id desc
    limit 10\``,
    why: 'A key would go on after the day on which it was to end.',
    caughtBy: { file: `${TESTS}/card-keys.test.ts`, name: /422 P3: a key past its end/ },
  },
  {
    name: 'payments-card-number-logged',
    file: `${SOURCE}/authorize.ts`,
    find: '{ merchantGuid, paymentUuid, explanation },',
    replace: '{ merchantGuid, paymentUuid, explanation, card: card.reveal() },',
    why: 'Card numbers would lie in every log that an operator keeps.',
    caughtBy: { file: `${TESTS}/canary.test.ts`, name: /I7: no card data is stored, answered/ },
  },
  {
    name: 'payments-card-shows-itself',
    file: `${SOURCE}/card-data.ts`,
    find: 'toJSON(): string {\n    return REDACTED;',
    replace: 'toJSON(): unknown {\n    return this.#clearText;',
    why: 'Whatever writes an object as JSON would write the card number.',
    caughtBy: { file: `${SOURCE}/card-data.test.ts`, name: /I7: a card shows nothing of itself/ },
  },
  {
    name: 'payments-card-number-kept-in-text',
    file: `${SOURCE}/intent.ts`,
    find: 'removeCardNumbers(value, cardNumber)',
    replace: 'value',
    why: 'A card number that a client wrote into a text would be stored.',
    caughtBy: { file: `${TESTS}/canary.test.ts`, name: /I7: a card number in a text is taken/ },
  },
  {
    name: 'payments-claims-unchecked',
    file: `${SOURCE}/card-data.ts`,
    find: 'if (mismatches.length > 0) {',
    replace: 'if (mismatches.length > 4) {',
    why: 'The six and four digits on the receipt could be those of another card.',
    caughtBy: {
      file: `${SOURCE}/card-data.test.ts`,
      name: /P5: every difference from the request/,
    },
  },
  {
    name: 'payments-illegal-move-stored',
    file: 'packages/server/migrations/0003-payments.sql',
    find: '  check (previous_version = version - 1),\n',
    replace: '',
    why: 'A history of a payment could have gaps, and nobody could audit it.',
    caughtBy: { file: `${TESTS}/lifecycle.test.ts`, name: /I5: the database refuses illegal/ },
  },
];
