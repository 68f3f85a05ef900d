import type { Operation } from '@servery/contract';
import { type DocumentPath, type FaultKind, FaultList, pathText } from '../document/faults.ts';
import { ApiError, type Fault } from './errors.ts';

/** The end of a request is not looked at when nearly all of it is wrong. */
const FAULTS_LOOKED_FOR = 5_000;
/** More faults than this help nobody to find the first one. */
const FAULTS_TOLD = 100;
/** The faults that stand in the message too. */
const FAULTS_IN_MESSAGE = 3;

/** Where a fault is: names of fields and indexes of lists, from the outside in. */
export type FaultPath = DocumentPath;

/**
 * Collects what is wrong with a request, so that one answer tells all of it. A fault continues the
 * sentence that its place begins (`must be a GUID`). It never repeats the value: a card number may
 * stand in the wrong field.
 */
export class Faults extends FaultList {
  #isBadRequest: boolean;

  constructor({ statuses }: Pick<Operation, 'statuses'>) {
    super(FAULTS_LOOKED_FOR);
    this.#isBadRequest = !statuses.includes(422);
  }

  override addAll(others: FaultList): void {
    super.addAll(others);
    if (others instanceof Faults && others.count > 0) this.#isBadRequest ||= others.#isBadRequest;
  }

  /** The faults of a kind. */
  told(kind: FaultKind): Fault[] {
    return this.#inOrder(kind);
  }

  /** What is wrong, in a sentence: the first faults, and how many more there are. */
  summary(): string {
    return summaryOf(this.#inOrder(), this.count);
  }

  /**
   * Throws ApiError that tells the faults; does nothing when there is none. It is `unprocessable`
   * where the operation answers 422 and nothing is missing, else `badRequest`. `consequence` is one
   * more sentence, for callers who sent a list.
   */
  refuse(consequence?: string): void {
    if (this.count === 0) return;
    const errorClass = this.#isBadRequest || this.hasMissing ? 'badRequest' : 'unprocessable';
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
    const sorted = this.kept
      .filter((fault) => kind === undefined || fault.kind === kind)
      .slice(0, FAULTS_TOLD)
      .sort((one, other) => compare(one.path, other.path));
    return sorted.map(({ path, message }) => ({ where: pathText(path) || 'The body', message }));
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
