import { nextTurn, partsOf, TURN_ELEMENTS } from '@servery/support/runner.ts';
import type { Answer } from './operation.ts';

/** The answer of a list, as `onWire` writes its elements: a long one is written in parts. */
export async function listInTurns<Element, Result>(
  list: readonly Element[],
  onWire: (element: Element) => Result,
): Promise<Answer<Result[]>> {
  if (!takesTurns(list)) return { json: list.map((element) => onWire(element)) };
  return { bytes: await jsonListInTurns(list, onWire) };
}

/** Whether a list is so long that others must have their turn while it is written. */
export function takesTurns(list: readonly unknown[]): boolean {
  return list.length > TURN_ELEMENTS;
}

/** A list as JSON, as `onWire` writes its elements, in parts. */
export async function jsonListInTurns<Element>(
  list: readonly Element[],
  onWire: (element: Element) => unknown,
): Promise<string> {
  const parts: string[] = [];
  for (const part of partsOf(list)) {
    parts.push(JSON.stringify(part.map((element) => onWire(element))).slice(1, -1));
    await nextTurn();
  }
  return `[${parts.join(',')}]`;
}
