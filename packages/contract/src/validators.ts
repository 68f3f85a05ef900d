import { createRequire } from 'node:module';
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import { errorSchemaName } from './error-bodies.ts';
import { resourceSchema } from './json-schema.ts';
import type { Body } from './operations/operation.ts';
import { type OperationId, operationById } from './operations.ts';
import { type SchemaName, schemas } from './schemas.ts';

export type Validator = (value: unknown) => string[];

const require = createRequire(import.meta.url);
const bundle = 'servery';
const base = `${bundle}#/$defs/`;
const compiled = new Map<string, ValidateFunction>();
let compiler: Ajv2020 | undefined;

/** Compiled on first use. */
export function validatorFor(
  schema: SchemaName,
  list: Partial<Omit<Body, 'schema'>> = {},
): Validator {
  return (value) => {
    const validate = compile(schema, list);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message, params }) => {
      const extra = params.additionalProperty ?? params.unevaluatedProperty;
      return `${instancePath || 'The body'} ${message}${extra ? `: ${extra}` : ''}`;
    });
  };
}

/** For tests; throws if a schema is not sound in strict mode. */
export function compileValidators(): void {
  const strict = createCompiler({ validateSchema: true });
  for (const name of Object.keys(schemas)) strict.compile({ $ref: `${base}${name}` });
}

/**
 * `body` is parsed JSON, or undefined for none. Also accepts 405, which is an answer of the path.
 */
export function validateResponse(id: OperationId, status: number, body: unknown): string[] {
  const operation = operationById(id);
  if (status !== 405 && !operation.statuses.includes(status)) {
    return [`${id} does not answer ${status}: it answers ${operation.statuses.join(', ')}.`];
  }
  if (status === 304) return body === undefined ? [] : [`${id} 304 must not have a body.`];
  if (status >= 400) return validatorFor(errorSchemaName(operation, status))(body);
  if (!operation.response) return [];
  return validatorFor(operation.response.schema, operation.response)(body);
}

function compile(schema: SchemaName, { array = false, maxItems }: Partial<Body>): ValidateFunction {
  const key = `${schema} ${array} ${maxItems}`;
  const known = compiled.get(key);
  if (known) return known;
  // A test has checked the schemas; compiling the meta-schema is the slowest part.
  compiler ??= createCompiler({ validateSchema: false });
  const item = { $ref: `${base}${schema}` };
  const limit = maxItems === undefined ? {} : { maxItems };
  const validate = compiler.compile(array ? { type: 'array', items: item, ...limit } : item);
  compiled.set(key, validate);
  return validate;
}

function createCompiler(options: { readonly validateSchema: boolean }): Ajv2020 {
  // Ninety modules that most processes don't need.
  const { Ajv2020 }: typeof import('ajv/dist/2020.js') = require('ajv/dist/2020.js');
  const formats: typeof import('ajv-formats') = require('ajv-formats');
  // Only tests use them, mostly once; optimized code takes a third longer to make.
  const code = { optimize: false };
  const ajv = new Ajv2020({ ...options, strict: true, allErrors: true, code });
  formats.default(ajv);
  const names = Object.keys(schemas) as SchemaName[];
  const definitions = names.map((name) => [name, resourceSchema(name, base)]);
  ajv.addSchema({ $id: bundle, $defs: Object.fromEntries(definitions) });
  return ajv;
}
