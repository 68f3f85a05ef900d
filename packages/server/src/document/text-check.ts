import type { DocumentPath, FaultList } from './faults.ts';

/** PostgreSQL can't store it. */
const NUL = '\u0000';
export const HALF_PAIR = 'has half of a surrogate pair (\\ud800 to \\udfff); write both halves';

/** Calls `onText` for each text and, with `isName`, for each property name. */
function visitTexts(
  document: unknown,
  onText: (text: string, path: DocumentPath, isName: boolean) => void,
): void {
  const path: (string | number)[] = [];
  const visit = (value: unknown): void => {
    if (typeof value === 'string') onText(value, path, false);
    else if (typeof value === 'object' && value !== null) {
      for (const [step, inner] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
        path.push(step);
        if (typeof step === 'string') onText(step, path, true);
        visit(inner);
        path.pop();
      }
    }
  };
  visit(document);
}

/**
 * Notes NUL characters and halves of surrogate pairs, which can't be stored unchanged. Gives the
 * number of properties, to compare with the number in the text.
 */
export function checkTexts(document: unknown, faults: FaultList): number {
  let propertyCount = 0;
  visitTexts(document, (text, path, isName) => {
    if (isName) propertyCount += 1;
    const note = (message: string) =>
      isName ? faults.addAtName(path, message) : faults.add(path, message);
    if (text.includes(NUL)) note('has a NUL character (\\u0000); remove it');
    if (!text.isWellFormed()) note(HALF_PAIR);
  });
  return propertyCount;
}
