import { nextTurn, partsOf, TURN_ELEMENTS } from '@servery/support/runner.ts';
import type { Answer } from './operation.ts';

export async function listInTurns<Element, Result>(
  list: readonly Element[],
  onWire: (element: Element) => Result,
): Promise<Answer<Result[]>> {
  if (!takesTurns(list)) return { json: list.map((element) => onWire(element)) };
  return { bytes: await jsonListInTurns(list, onWire) };
}

export function takesTurns(list: readonly unknown[]): boolean {
  return list.length > TURN_ELEMENTS;
}

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
