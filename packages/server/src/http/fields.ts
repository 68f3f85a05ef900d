import type { Fault } from './errors.ts';

/** What is wrong with a request: its missing fields (400) apart from its wrong ones (422). */
export class Findings {
  readonly missing: Fault[] = [];
  readonly invalid: Fault[] = [];
}

/** A rule for a text: what is wrong with it, in words without subject, or null. */
export type TextRule = (text: string) => string | null;

/** A field that was sent, and that nobody asked for. */
export interface UnreadField {
  /** Its path, such as `role.guid`. */
  readonly where: string;
  readonly name: string;
  /** The fields of the same object that were asked for. */
  readonly known: readonly string[];
}

const noRule: TextRule = () => null;

/**
 * Reads the fields of one JSON object and collects every fault on the way, so that a caller hears
 * of all of them at once. A fault names the field and the rule, and never repeats the value: a card
 * number may stand in the wrong field. A faulty field reads as blank; whoever reads looks at the
 * findings before using anything.
 */
export class Fields {
  readonly #object: Readonly<Record<string, unknown>>;
  readonly #path: string;
  readonly #findings: Findings;
  readonly #askedFor = new Set<string>();
  readonly #inner: Fields[] = [];

  constructor(object: Readonly<Record<string, unknown>>, path: string, findings: Findings) {
    this.#object = object;
    this.#path = path;
    this.#findings = findings;
  }

  /** A required text that keeps the rule. */
  text(name: string, rule: TextRule = noRule): string {
    return this.#isMissing(name) ? '' : (this.#text(name, rule) ?? '');
  }

  /** A text that may be absent or null, which both give null. */
  optionalText(name: string): string | null {
    return this.#isAbsent(name) ? null : this.#text(name, noRule);
  }

  /** A required true or false. */
  flag(name: string): boolean {
    if (this.#isMissing(name)) return false;
    const value = this.#object[name];
    if (typeof value !== 'boolean') this.fault(name, 'must be true or false');
    return value === true;
  }

  /** A required number, or null when it is none. */
  number(name: string): number | null {
    if (this.#isMissing(name)) return null;
    const value = this.#object[name];
    if (typeof value === 'number') return value;
    this.fault(name, 'must be a number');
    return null;
  }

  /** A required text that is one of `values`; the first one stands in for a faulty one. */
  choice<Value extends string>(name: string, values: readonly [Value, ...Value[]]): Value {
    if (this.#isMissing(name)) return values[0];
    const found = values.find((value) => value === this.#object[name]);
    if (found === undefined) this.fault(name, `must be one of ${values.join(', ')}`);
    return found ?? values[0];
  }

  /** A required list of at most `atMost` texts; empty when it is faulty. */
  texts(name: string, atMost: number): readonly string[] {
    if (this.#isMissing(name)) return [];
    const value = this.#object[name];
    const isList = Array.isArray(value) && value.length <= atMost;
    if (isList && value.every((each) => typeof each === 'string')) return value;
    this.fault(name, `must be a list of at most ${atMost} strings`);
    return [];
  }

  /** A required list of at most `atMost` whole numbers from 1; empty when it is faulty. */
  counts(name: string, atMost: number, eachAtMost: number): readonly number[] {
    if (this.#isMissing(name)) return [];
    const value = this.#object[name];
    const isCount = (each: unknown) =>
      Number.isSafeInteger(each) && Number(each) >= 1 && Number(each) <= eachAtMost;
    if (Array.isArray(value) && value.length <= atMost && value.every(isCount)) return value;
    const each = `whole numbers from 1 to ${eachAtMost}`;
    this.fault(name, `must be a list of at most ${atMost} ${each}`);
    return [];
  }

  /** A required object. */
  object(name: string): Fields {
    return this.#isMissing(name) ? new Fields({}, name, new Findings()) : this.#objectAt(name);
  }

  /** An object that may be absent or null, which both give null. */
  optionalObject(name: string): Fields | null {
    return this.#isAbsent(name) ? null : this.#objectAt(name);
  }

  /** A required value that is a text or an object. */
  textOrObject(name: string): string | Readonly<Record<string, unknown>> {
    if (this.#isMissing(name)) return '';
    const value = this.#object[name];
    if (typeof value === 'string' || isJsonObject(value)) return value;
    this.fault(name, 'must be a string or an object');
    return '';
  }

  /** True when the object has no such field. */
  lacks(name: string): boolean {
    this.#askedFor.add(name);
    return !Object.hasOwn(this.#object, name);
  }

  /** True when the field is there and null. */
  isNull(name: string): boolean {
    return !this.lacks(name) && this.#object[name] === null;
  }

  /** Whatever stands there, for whoever reads it by other rules; undefined for nothing. */
  value(name: string): unknown {
    return this.lacks(name) ? undefined : this.#object[name];
  }

  /** The fields that nobody asked for so far, here and in the objects that were read. */
  unread(): UnreadField[] {
    const known = [...this.#askedFor];
    const own = Object.keys(this.#object).filter((name) => !this.#askedFor.has(name));
    return [
      ...own.map((name) => ({ where: this.#where(name), name, known })),
      ...this.#inner.flatMap((fields) => fields.unread()),
    ];
  }

  /** Notes that a field is wrong; `message` goes on where the field's name ends. */
  fault(name: string, message: string): void {
    this.#findings.invalid.push({ where: this.#where(name), message });
  }

  #isMissing(name: string): boolean {
    const isMissing = this.lacks(name);
    if (isMissing) {
      const fault = { where: this.#where(name), message: 'is required and missing' };
      this.#findings.missing.push(fault);
    }
    return isMissing;
  }

  #isAbsent(name: string): boolean {
    return this.lacks(name) || this.#object[name] === null;
  }

  #text(name: string, rule: TextRule): string | null {
    const value = this.#object[name];
    const fault = typeof value === 'string' ? rule(value) : 'must be a string';
    if (fault !== null) this.fault(name, fault);
    return fault === null ? (value as string) : null;
  }

  #objectAt(name: string): Fields {
    const value = this.#object[name];
    if (isJsonObject(value)) {
      const fields = new Fields(value, this.#where(name), this.#findings);
      this.#inner.push(fields);
      return fields;
    }
    this.fault(name, 'must be an object');
    return new Fields({}, name, new Findings());
  }

  #where(name: string): string {
    return this.#path === '' ? name : `${this.#path}.${name}`;
  }
}

/** True for a JSON object: no list, not null. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
