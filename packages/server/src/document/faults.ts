/** Where a fault is: names of fields and indexes of lists, from the outside in. */
export type DocumentPath = readonly (string | number)[];

/** Something is missing, too long or too large, or wrong in another way. */
export type FaultKind = 'missing' | 'tooLarge' | 'wrong';

/** One thing that is wrong with a document. */
export interface DocumentFault {
  readonly kind: FaultKind;
  readonly path: DocumentPath;
  /** True when the name of the field is at fault, so that its line and not the value's is shown. */
  readonly atName: boolean;
  /** What is wrong and what to do. It continues the sentence that the path begins. */
  readonly message: string;
}

/** A broken generator can produce a fault per value; more than this helps nobody. */
export const KEPT_FAULTS = 10_000;
/** The same of a body that others wait for while it is looked at. */
export const KEPT_FAULTS_OF_EDITS = 1_000;

/** Collects what is wrong with a JSON value, so that all of it is reported at once. */
export class FaultList {
  readonly kept: DocumentFault[] = [];
  /** How many faults are kept; the validator stops after as many. */
  readonly atMost: number;
  /** False when the value was not looked at to its end. */
  isWhole = true;
  readonly #broken = new Set<string>();
  #count = 0;
  #hasMissing = false;
  #areOfElements = true;

  constructor(atMost = KEPT_FAULTS) {
    this.atMost = atMost;
  }

  /** How many faults were found, including those that are not kept. */
  get count(): number {
    return this.#count;
  }

  /** Whether something required is missing. */
  get hasMissing(): boolean {
    return this.#hasMissing;
  }

  /** Whether each fault is of an element of a list, so that the other elements can be looked at. */
  get areOfElements(): boolean {
    return this.#areOfElements && this.isWhole;
  }

  /** Notes that a value is wrong. */
  add(path: DocumentPath, message: string): void {
    this.#note({ kind: 'wrong', path: [...path], atName: false, message });
  }

  /** Notes that a value is too long or a list too large. */
  addTooLarge(path: DocumentPath, message: string): void {
    this.#note({ kind: 'tooLarge', path: [...path], atName: false, message });
  }

  /** Notes that the name of a field is wrong. */
  addAtName(path: DocumentPath, message: string): void {
    this.#note({ kind: 'wrong', path: [...path], atName: true, message });
  }

  /** Notes that something required is missing. */
  addMissing(path: DocumentPath, message = 'is required and missing'): void {
    this.#hasMissing = true;
    this.#note({ kind: 'missing', path: [...path], atName: false, message });
  }

  /** Takes over what others found. */
  addAll(others: FaultList): void {
    for (const fault of others.kept) this.#note(fault);
    this.#count += others.#count - others.kept.length;
    this.#hasMissing ||= others.#hasMissing;
    this.#areOfElements &&= others.#areOfElements;
    this.isWhole &&= others.isWhole;
  }

  /** Whether no fault was found at or below a path, so that rules can rely on the value there. */
  isSound(path: DocumentPath): boolean {
    return this.isWhole && (this.#broken.size === 0 || !this.#broken.has(JSON.stringify(path)));
  }

  #note(fault: DocumentFault): void {
    this.#count += 1;
    if (!fault.path.some((step) => typeof step === 'number')) this.#areOfElements = false;
    if (this.kept.length === this.atMost) return;
    this.kept.push(fault);
    // What holds a broken value is not sound either.
    for (let length = fault.path.length; length >= 0; length -= 1) {
      const place = JSON.stringify(fault.path.slice(0, length));
      if (this.#broken.has(place)) return;
      this.#broken.add(place);
    }
  }
}

/** A place in a document that rules can tell faults of, without knowing how it was reached. */
export class Place {
  readonly path: DocumentPath;
  readonly #faults: FaultList;

  constructor(faults: FaultList, path: DocumentPath) {
    this.#faults = faults;
    this.path = path;
  }

  /** The place that these steps lead to from here. */
  at(...steps: DocumentPath): Place {
    return new Place(this.#faults, [...this.path, ...steps]);
  }

  /** Notes a fault here, or at the end of further steps. */
  fault(message: string, ...steps: DocumentPath): void {
    this.#faults.add([...this.path, ...steps], message);
  }
}

/** A longer name, which may be as long as the document, is cut. */
const NAME_CHARACTERS = 100;

/** The path as a programmer writes it: `restaurants[0].info.general.name`; the root is empty. */
export function pathText(path: DocumentPath): string {
  let text = '';
  for (const whole of path) {
    const isLong = typeof whole === 'string' && whole.length > NAME_CHARACTERS;
    const step = isLong ? `${whole.slice(0, NAME_CHARACTERS)}…` : whole;
    if (typeof step === 'number') text += `[${step}]`;
    // The validator writes <field 3> where it must not tell the name.
    else if (/^([A-Za-z_$][\w$]*|<\w+ \d+>)$/.test(step)) text += text === '' ? step : `.${step}`;
    else text += `[${JSON.stringify(step)}]`;
  }
  return text;
}
