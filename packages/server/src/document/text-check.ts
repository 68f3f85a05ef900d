import type { FaultList } from './faults.ts';

/** PostgreSQL can't store it. */
const NUL = '\u0000';
export const HALF_PAIR = 'has half of a surrogate pair (\\ud800 to \\udfff); write both halves';

/**
 * Notes NUL characters and halves of surrogate pairs, which can't be stored unchanged. Gives the
 * number of properties, to compare with the number in the text.
 */
export function checkTexts(document: unknown, faults: FaultList): number {
  const path: (string | number)[] = [];
  let propertyCount = 0;
  const atValue = (message: string) => faults.add([...path], message);
  const atName = (message: string) => faults.addAtName([...path], message);
  const visit = (value: unknown): void => {
    if (typeof value === 'string') checkText(value, atValue);
    else if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index += 1) {
        path.push(index);
        visit(value[index]);
        path.pop();
      }
    } else if (typeof value === 'object' && value !== null) {
      for (const name of Object.keys(value)) {
        propertyCount += 1;
        path.push(name);
        checkText(name, atName);
        visit((value as Record<string, unknown>)[name]);
        path.pop();
      }
    }
  };
  visit(document);
  return propertyCount;
}

function checkText(text: string, note: (message: string) => void): void {
  if (text.includes(NUL)) note('has a NUL character (\\u0000); remove it');
  if (!text.isWellFormed()) note(HALF_PAIR);
}
