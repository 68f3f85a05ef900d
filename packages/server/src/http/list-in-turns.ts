import { nextTurn } from '../support/runner.ts';
import type { Answer } from './operation.ts';

/** Elements that are written before other requests have their turn. */
const TURN_ELEMENTS = 500;

/** The answer of a list, as `onWire` writes its elements: a long one is written in parts. */
export async function listInTurns<Element>(
  list: readonly Element[],
  onWire: (element: Element) => unknown,
): Promise<Answer> {
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
  for (let at = 0; at < list.length; at += TURN_ELEMENTS) {
    const part = list.slice(at, at + TURN_ELEMENTS).map((element) => onWire(element));
    parts.push(JSON.stringify(part).slice(1, -1));
    await nextTurn();
  }
  return `[${parts.join(',')}]`;
}
