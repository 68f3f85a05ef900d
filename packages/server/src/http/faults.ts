import type { Operation } from '@servery/contract';
import { type DocumentPath, type FaultKind, FaultList, pathText } from '../document/faults.ts';
import { ApiError, type Fault } from './errors.ts';
import { isJsonObject } from './json-object.ts';

const FAULTS_LOOKED_FOR = 5_000;
/** Two for each element of the longest list. */
const FAULTS_OF_ELEMENTS = 10_000;
/** Of all but the elements of stock updates (API-12). */
const OTHERS_TOLD = 100;
const FAULTS_IN_MESSAGE = 3;

export type FaultPath = DocumentPath;

/**
 * A fault continues the sentence that its place begins (`must be a GUID`). It never repeats the
 * value, which may be a card number.
 */
export class Faults extends FaultList {
  readonly #tellsEveryElement: boolean;
  #isBadRequest: boolean;

  constructor({ statuses }: Pick<Operation, 'statuses'>, tellsEveryElement = false) {
    super(tellsEveryElement ? FAULTS_OF_ELEMENTS : FAULTS_LOOKED_FOR);
    this.#tellsEveryElement = tellsEveryElement;
    this.#isBadRequest = !statuses.includes(422);
  }

  override addAll(others: FaultList): void {
    super.addAll(others);
    if (others instanceof Faults && others.count > 0) this.#isBadRequest ||= others.#isBadRequest;
  }

  summary(): string {
    return summaryOf(this.told(), this.count);
  }

  /**
   * Throws ApiError `unprocessable` if the operation answers 422 and nothing is missing, else
   * `badRequest`; does nothing without faults. `consequence` is one more sentence, for lists.
   */
  refuse(consequence?: string): void {
    if (this.count === 0) return;
    const errorClass = this.#isBadRequest || this.hasMissing ? 'badRequest' : 'unprocessable';
    const message = consequence ? `${this.summary()} ${consequence}` : this.summary();
    throw new ApiError(errorClass, message, { faults: this.told() });
  }

  /** Throws ApiError only for what is too large. */
  refuseTooLarge(): void {
    const faults = this.told('tooLarge');
    if (faults.length === 0) return;
    const errorClass = this.#isBadRequest ? 'badRequest' : 'unprocessable';
    throw new ApiError(errorClass, summaryOf(faults, faults.length), { faults });
  }

  told(kind?: FaultKind): Fault[] {
    let others = 0;
    const told = this.kept.filter((fault) => {
      if (kind !== undefined && fault.kind !== kind) return false;
      if (this.#tellsEveryElement && fault.kind !== 'tooLarge' && isOfElement(fault.path)) {
        return true;
      }
      others += 1;
      return others <= OTHERS_TOLD;
    });
    const sorted = told.sort((one, other) => compare(one.path, other.path));
    return sorted.map(({ path, message, errorClass }) => ({
      where: pathText(path) || 'The body',
      message,
      ...(errorClass && { errorClass }),
    }));
  }
}

/** Whether rules about these fields of an element can be checked, even if others are faulty. */
export function hasSound(
  faults: FaultList,
  path: FaultPath,
  element: unknown,
  fields: readonly string[],
): boolean {
  return isJsonObject(element) && fields.every((field) => faults.isSound([...path, field]));
}

function summaryOf(faults: readonly Fault[], count: number): string {
  const shown = faults
    .slice(0, FAULTS_IN_MESSAGE)
    .map(({ where, message }) => `${where} ${message}`);
  const others = count - shown.length;
  const more = others > 0 ? `; and ${others} more ${others === 1 ? 'fault' : 'faults'}` : '';
  const text = `${shown.join('; ')}${more}`;
  return text.endsWith('?') ? text : `${text}.`;
}

const isOfElement = (path: FaultPath) => path.some((step) => typeof step === 'number');

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
