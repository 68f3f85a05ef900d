import { nextTurn } from '@servery/support/runner.ts';
import { FaultList } from './faults.ts';
import type { MapShape, Shape } from './shape.ts';
import { formatFault, readText, textRule } from './text-forms.ts';
import { unknownField } from './unknown-field.ts';

export interface Strictness {
  /** The back office refuses unknown fields; partner interfaces ignore them (API-9). */
  readonly refusesUnknown: boolean;
  /** False for partners, who get GUIDs back as they sent them (STK-3). */
  readonly lowersGuids: boolean;
}

type JsonObject = Record<string, unknown>;
type Path = (string | number)[];

/** Safe to show. A name can be anything, even a card number (PAY-I7). */
const PLAIN_NAME = /^(?!(?:.*\d){4})[\w$-]{1,40}$/;

/** Takes about two milliseconds on a slow machine. */
const VALUES_AT_ONCE = 1_500;

/**
 * Checks sizes first, so that nothing reads a long text (API-12). Changes the value in place where
 * the schema reads texts or fills in fields.
 */
export function validate(
  value: unknown,
  shape: Shape,
  faults: FaultList,
  how: Strictness,
): unknown {
  return whole(new Walk(faults, how, []), value, shape);
}

/** Walks long lists in parts, so that other requests get their turn. */
export async function validateInTurns(
  value: unknown,
  shape: Shape,
  faults: FaultList,
  how: Strictness,
): Promise<unknown> {
  const walk = new Walk(faults, how, []);
  const checked = walk.check(value, shape);
  while (walk.goOn()) await nextTurn();
  return checked;
}

interface ListPart {
  readonly list: unknown[];
  readonly element: Shape;
  readonly path: Path;
  readonly isOfSizes: boolean;
  readonly from: number;
}

class Walk {
  readonly #faults: FaultList;
  readonly #how: Strictness;
  readonly #waiting: ListPart[] = [];
  #path: Path;
  #valuesLeft = VALUES_AT_ONCE;
  #isOfSizes: boolean;

  constructor(faults: FaultList, how: Strictness, path: Path, isOfSizes = false) {
    this.#faults = faults;
    this.#how = how;
    this.#path = path;
    this.#isOfSizes = isOfSizes;
  }

  goOn(): boolean {
    const part = this.#waiting.pop();
    if (!part) return false;
    this.#path = part.path;
    this.#isOfSizes = part.isOfSizes;
    this.#valuesLeft = VALUES_AT_ONCE;
    this.#checkPart(part);
    return true;
  }

  check(value: unknown, shape: Shape): unknown {
    const { types, values, branches } = shape;
    this.#valuesLeft -= 1;
    if (types && !hasType(value, types)) return this.#refuse(value, typeMessage(value, [shape]));
    if (typeof value === 'string' && !this.#hasLength(value, shape)) return value;
    if (values && !values.includes(value)) {
      return this.#refuse(value, `must be ${choicesOf(values)}`);
    }
    if (branches.length > 0) return this.#checkBranches(value, shape);
    if (typeof value === 'string') return this.#checkText(value, shape);
    if (typeof value === 'number') return this.#checkNumber(value, shape);
    if (Array.isArray(value)) return this.#checkList(value, shape);
    return isObject(value) ? this.#checkObject(value, shape) : value;
  }

  #checkAt(step: string | number, value: unknown, shape: Shape): unknown {
    this.#path.push(step);
    const checked = this.check(value, shape);
    this.#path.pop();
    return checked;
  }

  /** If no branch fits, reports the closest one. */
  #checkBranches(value: unknown, { branches, must }: Shape): unknown {
    const fitting = branches.filter(({ types }) => !types || hasType(value, types));
    const [only] = fitting;
    if (!only) return this.#refuse(value, typeMessage(value, branches));
    if (fitting.length === 1) return this.check(value, only);
    const attempts: FaultList[] = [];
    for (const branch of fitting) {
      const faults = new FaultList();
      const attempt = new Walk(faults, this.#how, [...this.#path], this.#isOfSizes);
      const checked = whole(attempt, value, branch);
      if (faults.count === 0) return checked;
      attempts.push(faults);
    }
    if (must !== null) return this.#refuse(value, `must ${must}`);
    const [nearest] = attempts.sort((one, other) => one.count - other.count);
    if (nearest) this.#faults.addAll(nearest);
    return value;
  }

  #hasLength(value: string, { text: { atMost } }: Shape): boolean {
    // A character takes one or two units, and most texts are short.
    if (value.length <= atMost) return true;
    const count = countCharacters(value);
    if (count > atMost) this.#noteSize(count, 'characters', atMost);
    return count <= atMost;
  }

  #checkText(value: string, { text, must }: Shape): unknown {
    const { atLeast, atMost, pattern, description, format, reading } = text;
    if (value.length < atLeast) {
      return this.#refuse(value, `must have ${atLeast} to ${atMost} characters`);
    }
    if (reading !== null) {
      const read = readText(value, reading, atMost);
      return 'fault' in read ? this.#refuse(value, read.fault) : read.value;
    }
    if (pattern && !pattern.test(value)) {
      return this.#refuse(value, `must ${must ?? patternRule(pattern, description)}`);
    }
    const fault = format === null ? null : formatFault(value, format);
    if (fault !== null) return this.#refuse(value, fault);
    return format === 'uuid' && this.#how.lowersGuids ? value.toLowerCase() : value;
  }

  #checkNumber(value: number, { number: { from, to, above, below }, must }: Shape): number {
    const isWithin = value >= from && value <= to && value > above && value < below;
    if (!isWithin && must !== null) this.#note(`must ${must}`);
    else if (value < from || value > to) {
      const isRange = Number.isFinite(from) && Number.isFinite(to);
      const bound = value < from ? `at least ${from}` : `at most ${to}`;
      this.#note(isRange ? `must be from ${from} to ${to}` : `must be ${bound}`);
    } else if (value <= above) this.#note(`must be greater than ${above}`);
    else if (value >= below) this.#note(`must be less than ${below}`);
    return value;
  }

  #checkList(list: unknown[], { list: { atLeast, atMost, isUnique, element } }: Shape): unknown {
    if (list.length > atMost) {
      this.#noteSize(list.length, 'elements', atMost);
      return list;
    }
    if (list.length < atLeast) this.#note(`must have at least ${atLeast} ${elements(atLeast)}`);
    if (isUnique) this.#refuseRepeated(list);
    if (!element) return list;
    const path = [...this.#path];
    this.#checkPart({ list, element, path, isOfSizes: this.#isOfSizes, from: 0 });
    return list;
  }

  #refuseRepeated(list: readonly unknown[]): void {
    if (new Set(list).size === list.length) return;
    const second = list.findIndex((value, index) => list.indexOf(value) < index);
    const first = list.indexOf(list[second]);
    this.#note(`must not have an element twice, as at ${first} and ${second}`);
  }

  #checkPart(part: ListPart): void {
    const { list, element } = part;
    for (let index = part.from; index < list.length; index += 1) {
      if (this.#isFull()) return;
      if (this.#valuesLeft <= 0) {
        this.#waiting.push({ ...part, from: index });
        return;
      }
      list[index] = this.#checkAt(index, list[index], element);
    }
  }

  #checkObject(object: JsonObject, { object: shape }: Shape): JsonObject {
    for (const [name, field] of shape.fields) {
      if (this.#isAbsent(object, name, field)) {
        if (field.filledWith !== undefined) object[name] = field.filledWith;
        else if (shape.required.includes(name)) this.#noteMissing(name, field);
      } else if (shape.ignored.has(name)) this.#checkIgnored(name, object[name], field);
      else object[name] = this.#checkAt(name, object[name], field);
    }
    if (shape.map) this.#checkMap(object, shape.map);
    else if (this.#how.refusesUnknown && !shape.isOpen) this.#refuseUnknown(object, shape);
    return object;
  }

  #isAbsent(object: JsonObject, name: string, shape: Shape): boolean {
    if (!Object.hasOwn(object, name) || object[name] === undefined) return true;
    const { [name]: value } = object;
    const isAbsent =
      (shape.isAbsentWhenEmpty && value === '') || (shape.isAbsentWhenNull && value === null);
    if (isAbsent) delete object[name];
    return isAbsent;
  }

  #checkIgnored(name: string, value: unknown, field: Shape): void {
    const isOfSizes = this.#isOfSizes;
    this.#isOfSizes = true;
    this.#checkAt(name, value, field);
    this.#isOfSizes = isOfSizes;
  }

  #refuseUnknown(object: JsonObject, { fields, ignored }: Shape['object']): void {
    const names = Object.keys(object);
    for (const [index, name] of names.entries()) {
      if (fields.has(name) || ignored.has(name)) continue;
      if (this.#isFull()) return;
      const step = PLAIN_NAME.test(name) ? name : `<field ${index + 1}>`;
      this.#path.push(step);
      this.#noteName(unknownField(step, [...fields.keys()]));
      this.#path.pop();
    }
  }

  #checkMap(object: JsonObject, { keys, keyPattern, keyCharacters, value }: MapShape): void {
    const names = Object.keys(object);
    if (names.length > keys) {
      this.#noteSize(names.length, 'keys', keys);
      return;
    }
    for (const [index, name] of names.entries()) {
      if (this.#isFull()) return;
      const step = PLAIN_NAME.test(name) ? name : `<key ${index + 1}>`;
      object[name] = this.#checkAt(step, object[name], value);
      this.#path.push(step);
      if (name.length > keyCharacters) {
        this.#noteSize(name.length, 'characters in its key', keyCharacters);
      } else if (keyPattern && !keyPattern.test(name)) {
        this.#noteName(keyMessage(keyPattern));
      }
      this.#path.pop();
    }
  }

  #isFull(): boolean {
    if (this.#faults.count < this.#faults.atMost) return false;
    this.#faults.isWhole = false;
    return true;
  }

  #refuse<Value>(value: Value, message: string): Value {
    this.#note(message);
    return value;
  }

  #note(message: string): void {
    if (!this.#isOfSizes) this.#faults.add(this.#path, message);
  }

  #noteName(message: string): void {
    if (!this.#isOfSizes) this.#faults.addAtName(this.#path, message);
  }

  #noteMissing(name: string, { values }: Shape): void {
    if (this.#isOfSizes) return;
    const what = values ? `is required and missing: send ${choicesOf(values)}` : undefined;
    this.#faults.addMissing([...this.#path, name], what);
  }

  #noteSize(count: number, what: string, limit: number): void {
    this.#faults.addTooLarge(this.#path, `has ${count} ${what}; at most ${limit} are allowed`);
  }
}

function whole(walk: Walk, value: unknown, shape: Shape): unknown {
  const checked = walk.check(value, shape);
  while (walk.goOn());
  return checked;
}

function hasType(value: unknown, types: readonly string[]): boolean {
  if (value === null) return types.includes('null');
  if (Array.isArray(value)) return types.includes('array');
  if (typeof value !== 'number') return types.includes(typeof value);
  // 1e400 is JSON, but not a double.
  if (!Number.isFinite(value)) return false;
  return types.includes('number') || (types.includes('integer') && Number.isInteger(value));
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

const PLURALS: Readonly<Record<string, string>> = {
  string: 'strings',
  number: 'numbers',
  integer: 'whole numbers',
  object: 'objects',
};

function typeMessage(value: unknown, shapes: readonly Shape[]): string {
  const allowed = [...new Set(shapes.flatMap(expected))];
  const isNullable = shapes.some(({ types }) => types?.includes('null'));
  const named = allowed.join(' or ');
  const isPlain = Object.values(TYPE_NAMES).includes(named);
  const rule = isPlain
    ? `must be ${isNullable ? `${named.replace('true or', 'true,')} or null` : named}`
    : `must be ${isNullable ? 'null or ' : ''}${named}`;
  // YAML and people write codes without quotation marks, and numbers lose leading zeros.
  return typeof value === 'number' && allowed.includes(TYPE_NAMES.string as string)
    ? `${rule}: put it in quotation marks, for example "4000"`
    : rule;
}

/** Continues the sentence after "must be". */
function expected({ types, values, must, text, list, object }: Shape): string[] {
  const named = (types ?? []).filter((type) => type !== 'null');
  if (values) return [choicesOf(values)];
  if (must?.startsWith('be ')) return [must.slice('be '.length)];
  return named.map((type) => {
    if (type === 'array') return listName(list);
    const { required } = object;
    if (type === 'object' && required.length > 0) return `an object with ${required.join(', ')}`;
    const rule = type === 'string' ? textRule(text.format, text.reading) : null;
    return rule === null ? (TYPE_NAMES[type] ?? type) : rule.replace(/^must be /, '');
  });
}

function listName({ element, atMost }: Shape['list']): string {
  const plural = PLURALS[element?.types?.[0] ?? ''];
  if (!element || !plural) return 'a list';
  const limit = Number.isFinite(atMost) ? `at most ${atMost} ` : '';
  const choices = element.values ? ` from ${element.values.join(', ')}` : '';
  return `a list of ${limit}${plural}${choices}`;
}

function choicesOf(values: readonly unknown[]): string {
  const choices = values.filter((value) => value !== null);
  return `${choices.length === 1 ? '' : 'one of '}${choices.join(', ')}`;
}

function patternRule({ source }: RegExp, description: string): string {
  const meaning = description.replace(/\.$/, '');
  return meaning === '' ? `match ${source}` : `match ${source} (${meaning})`;
}

function keyMessage({ source }: RegExp): string {
  if (source === '^[0-9]+$') return 'must be a key of digits, for example "1"';
  return `must be a key that matches ${source}`;
}

const elements = (count: number) => (count === 1 ? 'element' : 'elements');

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null;
}

/** JSON Schema counts a surrogate pair as one character. */
function countCharacters(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const isLead = code >= 0xd800 && code <= 0xdbff;
    const next = isLead ? text.charCodeAt(at + 1) : 0;
    if (next >= 0xdc00 && next <= 0xdfff) at += 1;
    count += 1;
  }
  return count;
}
