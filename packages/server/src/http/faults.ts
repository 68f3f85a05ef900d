import type { Operation } from '@servery/contract';
import { ApiError, type Fault } from './errors.ts';

/** More faults than this help nobody to find the first one. */
const FAULTS_TOLD = 100;
/** The faults that stand in the message too. */
const FAULTS_IN_MESSAGE = 3;

/** Where a fault is: names of fields and indexes of lists, from the outside in. */
export type FaultPath = readonly (string | number)[];

/** Something is missing, too long or too large, or wrong in another way. */
export type FaultKind = 'missing' | 'tooLarge' | 'wrong';

interface ToldFault {
  readonly kind: FaultKind;
  readonly path: FaultPath;
  readonly message: string;
}

/**
 * Collects what is wrong with a request, so that one answer tells all of it. A fault continues the
 * sentence that its place begins (`must be a GUID`). It never repeats the value: a card number may
 * stand in the wrong field.
 */
export class Faults {
  readonly #told: ToldFault[] = [];
  /** Each place with a fault, and the places that it lies in. */
  readonly #faultyPlaces = new Set<string>();
  /** Whether the operation answers 400 for a wrong value too. */
  #isBadRequest: boolean;
  #isIncomplete = false;
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
    this.#note('wrong', path, message);
  }

  /** Notes that a value is too long or a list too large. */
  addTooLarge(path: FaultPath, message: string): void {
    this.#note('tooLarge', path, message);
  }

  /** Notes that something is missing, which makes the request a 400. */
  addMissing(path: FaultPath, message = 'is required and missing'): void {
    this.#isIncomplete = true;
    this.#note('missing', path, message);
  }

  /** Takes over what others found. */
  addAll(others: Faults): void {
    if (others.#count === 0) return;
    this.#told.push(...others.#told);
    for (const place of others.#faultyPlaces) this.#faultyPlaces.add(place);
    this.#isBadRequest ||= others.#isBadRequest;
    this.#isIncomplete ||= others.#isIncomplete;
    this.#count += others.#count;
    this.#areOfElements &&= others.#areOfElements;
    this.isWhole &&= others.isWhole;
  }

  /** Whether no fault was found at a place or in what lies in it. */
  isSound(place: FaultPath): boolean {
    return !this.#faultyPlaces.has(pathText(place));
  }

  /** The faults of a kind. */
  told(kind: FaultKind): Fault[] {
    return this.#inOrder(kind);
  }

  /** What is wrong, in a sentence: the first faults, and how many more there are. */
  summary(): string {
    return summaryOf(this.#inOrder(), this.#count);
  }

  /**
   * Throws ApiError that tells the faults; does nothing when there is none. It is `unprocessable`
   * where the operation answers 422 and nothing is missing, else `badRequest`. `consequence` is one
   * more sentence, for callers who sent a list.
   */
  refuse(consequence?: string): void {
    if (this.#count === 0) return;
    const errorClass = this.#isBadRequest || this.#isIncomplete ? 'badRequest' : 'unprocessable';
    const message = consequence ? `${this.summary()} ${consequence}` : this.summary();
    throw new ApiError(errorClass, message, { faults: this.#inOrder() });
  }

  /** Throws ApiError that tells what is too large, and nothing else; does nothing when nothing is. */
  refuseTooLarge(): void {
    const faults = this.told('tooLarge');
    if (faults.length === 0) return;
    const errorClass = this.#isBadRequest ? 'badRequest' : 'unprocessable';
    throw new ApiError(errorClass, summaryOf(faults, faults.length), { faults });
  }

  /** In the order of the request, as far as indexes tell it. */
  #inOrder(kind?: FaultKind): Fault[] {
    const sorted = this.#told
      .filter((fault) => kind === undefined || fault.kind === kind)
      .slice(0, FAULTS_TOLD)
      .sort((one, other) => compare(one.path, other.path));
    return sorted.map(({ path, message }) => ({ where: pathText(path), message }));
  }

  #note(kind: FaultKind, path: FaultPath, message: string): void {
    this.#count += 1;
    if (!path.some((step) => typeof step === 'number')) this.#areOfElements = false;
    for (let depth = 0; depth <= path.length; depth += 1) {
      this.#faultyPlaces.add(pathText(path.slice(0, depth)));
    }
    // What is too large may have to be told alone, however many other faults there are.
    const isTold = kind === 'tooLarge' || this.#told.length < FAULTS_TOLD;
    if (isTold) this.#told.push({ kind, path: [...path], message });
  }
}

function summaryOf(faults: readonly Fault[], count: number): string {
  const shown = faults
    .slice(0, FAULTS_IN_MESSAGE)
    .map(({ where, message }) => `${where} ${message}`);
  const others = count - shown.length;
  const more = others > 0 ? `; and ${others} more ${others === 1 ? 'fault' : 'faults'}` : '';
  return `${shown.join('; ')}${more}.`;
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
