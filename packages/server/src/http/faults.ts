import type { Operation } from '@servery/contract';
import { ApiError, type Fault } from './errors.ts';

/** More faults than this help nobody to find the first one. */
const FAULTS_TOLD = 100;
/** The faults that stand in the message too. */
const FAULTS_IN_MESSAGE = 3;

/** Where a fault is: names of fields and indexes of lists, from the outside in. */
export type FaultPath = readonly (string | number)[];

/**
 * Collects what is wrong with a request, so that one answer tells all of it. A fault continues the
 * sentence that its place begins (`must be a GUID`). It never repeats the value: a card number may
 * stand in the wrong field.
 */
export class Faults {
  readonly #told: { readonly path: FaultPath; readonly message: string }[] = [];
  readonly #faultyElements = new Set<string>();
  #isBadRequest: boolean;
  #count = 0;
  #areOfElements = true;
  /** False when the request was not looked at to its end. */
  isWhole = true;

  constructor({ statuses }: Pick<Operation, 'statuses'>) {
    this.#isBadRequest = !statuses.includes(422);
  }

  /** How many faults were found, including those that are not told. */
  get count(): number {
    return this.#count;
  }

  /** Whether each fault is of an element of a list, so that the other elements can be looked at. */
  get areOfElements(): boolean {
    return this.#areOfElements && this.isWhole;
  }

  /** Notes that a value is wrong. */
  add(path: FaultPath, message: string): void {
    this.#note(path, message);
  }

  /** Notes that something is missing, which makes the request a 400. */
  addMissing(path: FaultPath, message = 'is required and missing'): void {
    this.#isBadRequest = true;
    this.#note(path, message);
  }

  /** Takes over what others found. */
  addAll(others: Faults): void {
    if (others.#count === 0) return;
    this.#told.push(...others.#told);
    for (const element of others.#faultyElements) this.#faultyElements.add(element);
    this.#isBadRequest ||= others.#isBadRequest;
    this.#count += others.#count;
    this.#areOfElements &&= others.#areOfElements;
    this.isWhole &&= others.isWhole;
  }

  /** Whether an element of a list has no fault so far. */
  isSound(element: FaultPath): boolean {
    return !this.#faultyElements.has(pathText(element));
  }

  /** What is wrong, in a sentence: the first faults, and how many more there are. */
  summary(): string {
    const shown = this.#inOrder()
      .slice(0, FAULTS_IN_MESSAGE)
      .map(({ where, message }) => `${where} ${message}`);
    const others = this.#count - shown.length;
    const more = others > 0 ? `; and ${others} more ${others === 1 ? 'fault' : 'faults'}` : '';
    return `${shown.join('; ')}${more}.`;
  }

  /**
   * Throws ApiError that tells the faults; does nothing when there is none. It is `unprocessable`
   * where the operation answers 422 and nothing is missing, else `badRequest`. `consequence` is one
   * more sentence, for callers who sent a list.
   */
  refuse(consequence?: string): void {
    if (this.#count === 0) return;
    const errorClass = this.#isBadRequest ? 'badRequest' : 'unprocessable';
    const message = consequence ? `${this.summary()} ${consequence}` : this.summary();
    throw new ApiError(errorClass, message, { faults: this.#inOrder() });
  }

  /** In the order of the request, as far as indexes tell it. */
  #inOrder(): Fault[] {
    const sorted = this.#told
      .slice(0, FAULTS_TOLD)
      .sort((one, other) => compare(one.path, other.path));
    return sorted.map(({ path, message }) => ({ where: pathText(path), message }));
  }

  #note(path: FaultPath, message: string): void {
    this.#count += 1;
    const index = path.findIndex((step) => typeof step === 'number');
    if (index === -1) this.#areOfElements = false;
    else this.#faultyElements.add(pathText(path.slice(0, index + 1)));
    if (this.#told.length < FAULTS_TOLD) this.#told.push({ path: [...path], message });
  }
}

function compare(one: FaultPath, other: FaultPath): number {
  for (const [index, step] of one.entries()) {
    const otherStep = other[index];
    if (typeof step === 'number' && typeof otherStep === 'number' && step !== otherStep) {
      return step - otherStep;
    }
    if (step !== otherStep) return 0;
  }
  return 0;
}

/** A path as it is told, such as `changes[3].quantity`. */
function pathText(path: FaultPath): string {
  const text = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  return text === '' ? 'The body' : text.replace(/^\./, '');
}
