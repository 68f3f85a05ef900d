/** Where in a document: property names and indexes from the root down. */
export type DocumentPath = readonly (string | number)[];

/** One thing that is wrong with a document, before anybody asked for its line. */
export interface DocumentFault {
  readonly path: DocumentPath;
  /** True when the property's name is at fault, so that its line and not the value's is shown. */
  readonly atName: boolean;
  /** What is wrong and what to do. */
  readonly message: string;
}

/**
 * A broken generator can produce a fault per value; more than this helps nobody find the first.
 */
export const KEPT_FAULTS = 10_000;
/** The same of a body that others wait for while it is looked at. */
export const KEPT_FAULTS_OF_EDITS = 1_000;

/** Collects what the steps of the validation find, so that all of it is reported at once. */
export class FaultList {
  readonly kept: DocumentFault[] = [];
  #count = 0;

  /** How many faults were found, also those that were not kept. */
  get count(): number {
    return this.#count;
  }

  /** Notes a fault of the value at `path`. */
  add(path: DocumentPath, message: string): void {
    this.#note({ path, atName: false, message });
  }

  /** Notes a fault of the property name that `path` ends with. */
  addAtName(path: DocumentPath, message: string): void {
    this.#note({ path, atName: true, message });
  }

  #note(fault: DocumentFault): void {
    this.#count += 1;
    if (this.kept.length < KEPT_FAULTS) this.kept.push(fault);
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
    else if (/^[A-Za-z_$][\w$]*$/.test(step)) text += text === '' ? step : `.${step}`;
    else text += `[${JSON.stringify(step)}]`;
  }
  return text;
}
