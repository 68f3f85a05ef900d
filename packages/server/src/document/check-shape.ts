import { createRequire } from 'node:module';
import { parseGuid } from '@servery/support/ids.ts';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { parseInstant } from '../text/instant.ts';
import { type DocumentPath, type FaultList, KEPT_FAULTS } from './faults.ts';
import type { JsonSchema } from './field-schema.ts';
import { shapeMessage } from './unknown-field.ts';

/** Where a document does not have the shape of its schema. */
export interface BrokenPlaces {
  /** True when nothing at or below the path is of a wrong shape, so that rules can rely on it. */
  isSound(path: DocumentPath): boolean;
}

const require = createRequire(import.meta.url);

// What these keywords tell is of a property, of which an object may have several.
const OBJECT_KEYWORDS = new Set(['required', 'additionalProperties', 'propertyNames']);

/** Compares a document with a schema and notes every difference as a fault. */
export type CheckShape = (document: unknown, faults: FaultList) => BrokenPlaces;

/**
 * Makes what compares documents with a schema, which is compiled when the first one comes. It stops
 * when it has found more than `faultsAtMost`.
 */
export function shapeChecker(schema: () => JsonSchema, faultsAtMost = KEPT_FAULTS): CheckShape {
  let compiled: ValidateFunction | null = null;
  return (document, faults) => {
    compiled ??= compile(schema(), faultsAtMost);
    return check(compiled, document, faults);
  };
}

function check(compiled: ValidateFunction, document: unknown, faults: FaultList): BrokenPlaces {
  const broken = new Set<string>();
  const toldValues = new Set<string>();
  const errors = errorsOf(compiled, document);
  if (errors.length > 0) {
    for (const error of errors) {
      // A faulty name among keys of digits is told twice: by its pattern, and by its object.
      if (error.propertyName !== undefined && error.keyword !== 'propertyNames') continue;
      // A value of a wrong type is of a wrong format too: its first fault says enough.
      if (!OBJECT_KEYWORDS.has(error.keyword)) {
        if (toldValues.has(error.instancePath)) continue;
        toldValues.add(error.instancePath);
      }
      const path = pathOf(error, document);
      // What is missing is as little to be relied on as what holds it.
      const { missingProperty } = error.params;
      noteBroken(broken, missingProperty === undefined ? path : [...path, missingProperty]);
      noteFault(error, path, faults);
    }
  }
  return { isSound: (path) => broken.size === 0 || !broken.has(JSON.stringify(path)) };
}

/** What is wrong, as far as it was looked at: see `stopping`. */
function errorsOf(compiled: ValidateFunction, document: unknown): readonly ErrorObject[] {
  try {
    return compiled(document) ? [] : (compiled.errors ?? []);
  } catch (error) {
    if (Array.isArray(error)) return error;
    throw error;
  }
}

/**
 * Makes the code of a compiled schema throw the errors that it has found as soon as there are more
 * than anybody is told of. It cannot be asked to, and a document whose every value is wrong would
 * otherwise keep the process busy for minutes and fill its memory.
 */
function stopping(code: string, faultsAtMost: number): string {
  const stop = `if(errors>${faultsAtMost}){throw vErrors;}`;
  return code.replaceAll(/\berrors(?:\+\+| = vErrors\.length);/g, (counted) => counted + stop);
}

function compile(schema: JsonSchema, faultsAtMost: number): ValidateFunction {
  // Ninety modules that no start waits for: the first document loads them.
  const { Ajv2020 }: typeof import('ajv/dist/2020.js') = require('ajv/dist/2020.js');
  const formats: typeof import('ajv-formats') = require('ajv-formats');
  const ajv = new Ajv2020({
    ...{ allErrors: true, verbose: true, strict: true, allowUnionTypes: true },
    code: { process: (code) => stopping(code, faultsAtMost) },
    // A test judges the schemas: what judges them takes ten times longer to compile than they do.
    validateSchema: false,
  });
  formats.default(ajv, ['uri', 'int32', 'float', 'double']);
  ajv.addFormat('uuid', (text: string) => parseGuid(text) !== null);
  ajv.addFormat('date-time', (text: string) => parseInstant(text) !== null);
  return ajv.compile(schema);
}

/** The path of an error; a step into an array is a number, as in the document itself. */
function pathOf(error: ErrorObject, document: unknown): DocumentPath {
  const path: (string | number)[] = [];
  let at: unknown = document;
  for (const pointer of error.instancePath.split('/').slice(1)) {
    const name = pointer.replaceAll('~1', '/').replaceAll('~0', '~');
    const step = Array.isArray(at) ? Number(name) : name;
    path.push(step);
    at = (at as Record<string | number, unknown>)[step];
  }
  return path;
}

/** Whatever holds a broken place is not sound either. */
function noteBroken(broken: Set<string>, path: DocumentPath): void {
  for (let length = path.length; length >= 0; length -= 1) {
    const place = JSON.stringify(path.slice(0, length));
    if (broken.has(place)) return;
    broken.add(place);
  }
}

function noteFault(error: ErrorObject, path: DocumentPath, faults: FaultList): void {
  const schema = (error.parentSchema ?? {}) as JsonSchema;
  const message = shapeMessage(error.keyword, error.params, schema, error.data);
  const { missingProperty, additionalProperty, propertyName } = error.params;
  const name = additionalProperty ?? propertyName;
  if (missingProperty !== undefined) faults.add([...path, missingProperty], message);
  else if (name !== undefined) faults.addAtName([...path, name], message);
  else faults.add(path, message);
}
