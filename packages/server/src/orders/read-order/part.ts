import type { FaultPath, Faults } from '../../http/faults.ts';
import { isJsonObject } from '../../http/json-object.ts';
import { conflicting, notThere } from '../order-faults.ts';

/**
 * An object of the body, whose fields may be faulty already: those count as absent, but not as
 * missing. So all other faults can be told with them (ORD-2).
 */
export class Part<T extends object> {
  readonly path: FaultPath;
  readonly #sent: T;
  readonly #faults: Faults;

  constructor(sent: T, path: FaultPath, faults: Faults) {
    this.#sent = sent;
    this.path = path;
    this.#faults = faults;
  }

  get<Name extends keyof T & string>(name: Name): T[Name] | undefined {
    return this.isSound(name) ? (this.#sent[name] ?? undefined) : undefined;
  }

  isSound(...steps: FaultPath): boolean {
    return this.#faults.isSound([...this.path, ...steps]);
  }

  /** Notes that a field is missing, if it is. */
  require(name: keyof T & string, message = 'is required and missing'): void {
    if (this.isSound(name) && (this.#sent[name] ?? undefined) === undefined) {
      this.#faults.addMissing([...this.path, name], message);
    }
  }

  part<Name extends keyof T & string>(name: Name): Part<NonNullable<T[Name]> & object> | null {
    const inner = this.#sent[name];
    return isJsonObject(inner)
      ? new Part(inner as NonNullable<T[Name]> & object, [...this.path, name], this.#faults)
      : null;
  }

  parts<Name extends keyof T & string>(
    name: Name,
  ): Part<NonNullable<T[Name]> extends readonly (infer One extends object)[] ? One : never>[] {
    const list = this.#sent[name];
    if (!Array.isArray(list)) return [];
    return list.flatMap((one, index) =>
      isJsonObject(one) ? [new Part(one as never, [...this.path, name, index], this.#faults)] : [],
    );
  }

  count(name: keyof T & string): number {
    const list = this.#sent[name];
    return Array.isArray(list) ? list.length : 0;
  }

  fault(message: string, ...steps: FaultPath): void {
    this.#faults.add([...this.path, ...steps], message);
  }

  notThere(message: string, ...steps: FaultPath): void {
    notThere(this.#faults, [...this.path, ...steps], message);
  }

  conflict(message: string, ...steps: FaultPath): void {
    conflicting(this.#faults, [...this.path, ...steps], message);
  }
}
