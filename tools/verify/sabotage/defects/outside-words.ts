// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Pieces of code stand here as text.
import type { Defect } from '../defect.ts';

const SOURCE = 'packages/server/src/payments/processors';
const TESTS = 'packages/server/test/payments';
const WORDS = `${SOURCE}/outside-words.ts`;
const hunted = {
  file: `${TESTS}/far-end-hunt.test.ts`,
  name: /I7: no canary that the far end quoted is anywhere/,
};

/** Defects by which the words of a processor bring card data into tables and logs. */
export const outsideWordsDefects: readonly Defect[] = [
  {
    name: 'processor-words-kept',
    file: `${SOURCE}/http.ts`,
    find: 'return withoutCardData(answer, order);',
    replace: 'return withoutCardData(answer, order) && answer;',
    why: 'Whatever a processor quotes of a card would be stored and logged.',
    caughtBy: hunted,
  },
  {
    name: 'processor-explanation-kept',
    file: WORDS,
    find: 'const text = isKept ? explanation',
    replace: 'const text = isKept || explanation !== null ? explanation',
    why: 'A processor that explains itself with the card would have it stored and logged.',
    caughtBy: hunted,
  },
  {
    name: 'processor-words-with-digits',
    file: WORDS,
    find: 'return words.every((word) => PLAIN_WORD.test(word)) &&',
    replace: 'return words.every((word) => PLAIN_WORD.test(word) || /^[0-9]{1,4}$/.test(word)) &&',
    why: 'A security code, or a number in groups, would pass as words.',
    caughtBy: hunted,
  },
  {
    name: 'processor-reference-of-inquiry-kept',
    file: WORDS,
    find: 'if (card === null) return { ...approval, reference: null };',
    replace: 'if (card === null) return { ...approval, reference };',
    why: 'A reference that is a security code would be stored where nobody can tell it is one.',
    caughtBy: hunted,
  },
  {
    name: 'processor-status-told',
    file: `${SOURCE}/http.ts`,
    find: "return STATUS_CODES[status] ?? 'of no known kind';",
    replace: 'return STATUS_CODES[status] ?? String(status);',
    why: 'A security code that comes as a status would be logged.',
    caughtBy: {
      file: `${TESTS}/processors/http.test.ts`,
      name: /I7: a status that could be a security code is not told/,
    },
  },
];
