import type { FaultList } from './faults.ts';

/** What the database cannot keep as it is written. */
const NUL = '\u0000';

/**
 * Walks every name and text of a JSON value and notes those that cannot be stored and written
 * again unchanged: NUL characters and halves of surrogate pairs. Gives the number of properties
 * of all objects together, to be compared with the number in the text.
 */
export function checkTexts(document: unknown, faults: FaultList): number {
  const path: (string | number)[] = [];
  let propertyCount = 0;
  const visit = (value: unknown): void => {
    if (typeof value === 'string') checkText(value, path, faults);
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
        checkText(name, path, faults);
        visit((value as Record<string, unknown>)[name]);
        path.pop();
      }
    }
  };
  visit(document);
  return propertyCount;
}

function checkText(text: string, path: readonly (string | number)[], faults: FaultList): void {
  if (text.includes(NUL)) faults.add([...path], 'has a NUL character (\\u0000); remove it');
  if (!text.isWellFormed()) {
    faults.add([...path], 'has half of a surrogate pair (\\ud800 to \\udfff); write both halves');
  }
}
