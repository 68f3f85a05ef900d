import type { ErrorClass } from '@servery/contract';

export type DocumentPath = readonly (string | number)[];

export type FaultKind = 'missing' | 'tooLarge' | 'outOfStock' | 'wrong';

export interface DocumentFault {
  readonly kind: FaultKind;
  readonly path: DocumentPath;
  /** Shows the line of the name, not of the value. */
  readonly atName: boolean;
  /** Continues the sentence that the path begins, and says what to do. */
  readonly message: string;
  /** For programs that handle this fault alone. */
  readonly errorClass?: ErrorClass;
}

/** A broken generator can cause a fault for each value; more help nobody. */
export const KEPT_FAULTS = 10_000;
/** Lower, because others wait while the body is checked. */
export const KEPT_FAULTS_OF_EDITS = 1_000;

export class FaultList {
  readonly kept: DocumentFault[] = [];
  /** The validator stops after this many. */
  readonly atMost: number;
  /** False when the check stopped early. */
  isWhole = true;
  readonly #broken = new Set<string>();
  #count = 0;
  #hasMissing = false;
  #areOfElements = true;

  constructor(atMost = KEPT_FAULTS) {
    this.atMost = atMost;
  }

  get count(): number {
    return this.#count;
  }

  get hasMissing(): boolean {
    return this.#hasMissing;
  }

  /** If so, the other elements can still be checked. */
  get areOfElements(): boolean {
    return this.#areOfElements && this.isWhole;
  }

  add(path: DocumentPath, message: string): void {
    this.#note({ kind: 'wrong', path: [...path], atName: false, message });
  }

  addOfClass(errorClass: ErrorClass, path: DocumentPath, message: string): void {
    this.#note({ kind: 'wrong', path: [...path], atName: false, message, errorClass });
  }

  addTooLarge(path: DocumentPath, message: string): void {
    this.#note({ kind: 'tooLarge', path: [...path], atName: false, message });
  }

  addOutOfStock(path: DocumentPath, message: string): void {
    this.#note({ kind: 'outOfStock', path: [...path], atName: false, message });
  }

  addAtName(path: DocumentPath, message: string): void {
    this.#note({ kind: 'wrong', path: [...path], atName: true, message });
  }

  addMissing(path: DocumentPath, message = 'is required and missing'): void {
    this.#hasMissing = true;
    this.#note({ kind: 'missing', path: [...path], atName: false, message });
  }

  addAll(others: FaultList): void {
    for (const fault of others.kept) this.#note(fault);
    this.#count += others.#count - others.kept.length;
    this.#hasMissing ||= others.#hasMissing;
    this.#areOfElements &&= others.#areOfElements;
    this.isWhole &&= others.isWhole;
  }

  isSound(path: DocumentPath): boolean {
    return this.isWhole && (this.#broken.size === 0 || !this.#broken.has(JSON.stringify(path)));
  }

  #note(fault: DocumentFault): void {
    this.#count += 1;
    if (!fault.path.some((step) => typeof step === 'number')) this.#areOfElements = false;
    if (this.kept.length === this.atMost) return;
    this.kept.push(fault);
    // A value that holds a broken one is not sound either.
    for (let length = fault.path.length; length >= 0; length -= 1) {
      const place = JSON.stringify(fault.path.slice(0, length));
      if (this.#broken.has(place)) return;
      this.#broken.add(place);
    }
  }
}

/** Lets rules note faults without knowing the path to the value. */
export class Place {
  readonly path: DocumentPath;
  readonly #faults: FaultList;

  constructor(faults: FaultList, path: DocumentPath) {
    this.#faults = faults;
    this.path = path;
  }

  at(...steps: DocumentPath): Place {
    return new Place(this.#faults, [...this.path, ...steps]);
  }

  fault(message: string, ...steps: DocumentPath): void {
    this.#faults.add([...this.path, ...steps], message);
  }
}

/** A name can be as long as the document. */
const NAME_CHARACTERS = 100;

export function pathText(path: DocumentPath): string {
  let text = '';
  for (const whole of path) {
    const isLong = typeof whole === 'string' && whole.length > NAME_CHARACTERS;
    const step = isLong ? `${whole.slice(0, NAME_CHARACTERS)}…` : whole;
    if (typeof step === 'number') text += `[${step}]`;
    // The validator writes <field 3> for a name that it must not show.
    else if (/^([A-Za-z_$][\w$]*|<\w+ \d+>)$/.test(step)) text += text === '' ? step : `.${step}`;
    else text += `[${JSON.stringify(step)}]`;
  }
  return text;
}

const STEP = /\[(\d{1,6})\]|\.([A-Za-z_$][\w$]*)|\[("(?:[^"\\]|\\.)*")\]/y;

/** What `pathText` wrote. Null for a text that it would not write. */
export function readPath(text: string): (string | number)[] | null {
  if (text.startsWith('.')) return null;
  const whole = text.startsWith('[') ? text : `.${text}`;
  const path: (string | number)[] = [];
  STEP.lastIndex = 0;
  while (STEP.lastIndex < whole.length) {
    const [step, index, name, quoted] = STEP.exec(whole) ?? [];
    if (step === undefined) return null;
    path.push(index === undefined ? (name ?? textOf(quoted ?? '')) : Number(index));
  }
  return path;
}

function textOf(quoted: string): string {
  try {
    return JSON.parse(quoted);
  } catch {
    return quoted;
  }
}
