import { type Operation, parametersOf, schemas } from '@servery/contract';
import { type Shape, shapeOf } from '../../document/shape.ts';
import { type Strictness, validate, validateInTurns } from '../../document/validate.ts';
import { ApiError } from '../errors.ts';
import { Faults } from '../faults.ts';
import { furtherOf } from '../look-further.ts';

export interface SentRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
}

export interface ReadRequest {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly faults: Faults;
}

interface Spellings {
  readonly flag: RegExp;
  readonly number: RegExp;
}

interface Shapes {
  readonly params: Shape;
  readonly query: Shape;
  readonly body: Shape | null;
}

const OF_TEXTS = { refusesUnknown: false, lowersGuids: true };
const FLAG = /^(true|false)$/;
/** Some languages write True (RST-2). */
const FLAG_OF_PARTNERS = /^(true|false)$/i;
const NUMBER = /^-?\d{1,16}$/;
const DECIMAL = /^\d{1,12}(\.\d{1,4})?$/;
/** A path has one spelling. */
const NUMBER_IN_PATH = /^(0|[1-9]\d{0,15})$/;

const shapesOf = new WeakMap<Operation, Shapes>();

/**
 * Throws ApiError with every fault of query and body, unless the handler looks further. A path that
 * can name nothing is `notFound`, or `badRequest` for a PUT, which makes what its path names
 * (PAY-9).
 */
export async function readRequest(
  operation: Operation,
  sent: SentRequest,
  handler: object,
): Promise<ReadRequest> {
  const shapes = shapesOf.get(operation) ?? compile(operation);
  const inPath = new Faults({ statuses: [] });
  const flag = operation.interface === 'backOffice' ? FLAG : FLAG_OF_PARTNERS;
  const params = readTexts(sent.params, shapes.params, inPath, { flag, number: NUMBER_IN_PATH });
  if (inPath.count > 0) throw wrongPath(operation, inPath);
  const inQuery = new Faults({ statuses: [] });
  const query = readTexts(sent.query, shapes.query, inQuery, { flag, number: NUMBER });
  const faults = new Faults(operation, furtherOf(handler) === 'everyElement');
  faults.addAll(inQuery);
  const shape = operation.requestBody?.isParsedLater ? null : shapes.body;
  const how = strictnessOf(operation);
  const body = shape ? await validateInTurns(sent.body, shape, faults, how) : sent.body;
  refuse(faults, handler);
  return { params, query, body, faults };
}

/** No handler sees what is too large (API-12). */
function refuse(faults: Faults, handler: object): void {
  const further = furtherOf(handler);
  if (further === 'anyFault') faults.refuseTooLarge();
  else if (further === undefined || !faults.areOfElements) faults.refuse();
}

/** Throws what `readRequest` throws. */
export function readParsedBody<Body>(
  { operation, faults }: { readonly operation: Operation; readonly faults: Faults },
  sent: unknown,
): Body {
  const { body: shape } = shapesOf.get(operation) ?? compile(operation);
  const body = shape ? validate(sent, shape, faults, strictnessOf(operation)) : sent;
  faults.refuse();
  return body as Body;
}

function strictnessOf({ interface: of }: Operation): Strictness {
  const isBackOffice = of === 'backOffice';
  return { refusesUnknown: isBackOffice, lowersGuids: isBackOffice };
}

function compile(operation: Operation): Shapes {
  const { params, query, requestBody } = operation;
  const shapes = {
    params: shapeOf({ type: 'object', properties: params }),
    query: shapeOf({ type: 'object', properties: query, required: requiredOf(query) }),
    body: requestBody ? bodyShape(requestBody) : null,
  };
  shapesOf.set(operation, shapes);
  return shapes;
}

function requiredOf(query: Operation['query']): string[] {
  return parametersOf(query).flatMap(({ name, required }) => (required ? [name] : []));
}

function bodyShape({ schema, array, maxItems }: NonNullable<Operation['requestBody']>): Shape {
  const resource = schemas[schema];
  if (!array) return shapeOf(resource);
  return shapeOf({ type: 'array', items: resource, ...(maxItems !== undefined && { maxItems }) });
}

/** Ignores texts without a schema (API-9). */
function readTexts(
  sent: SentRequest['query'],
  shape: Shape,
  faults: Faults,
  spellings: Spellings,
): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  for (const [name, field] of shape.object.fields) {
    const text = sent[name];
    if (text === undefined) continue;
    const isText = text.isWellFormed() && !text.includes('\0');
    if (isText) values[name] = readValue(text, field, spellings);
    else faults.add([name], 'must be a text without a NUL character');
  }
  validate(values, shape, faults, OF_TEXTS);
  return values;
}

/** Text that cannot be read stays text, and its type is then wrong. */
function readValue(
  text: string,
  { types, text: { reading } }: Shape,
  { flag, number }: Spellings,
): unknown {
  if (types?.includes('boolean') && flag.test(text)) return text.toLowerCase() === 'true';
  if (types?.includes('integer')) return number.test(text) ? Number(text) : text;
  if (types?.includes('number')) return DECIMAL.test(text) ? Number(text) : text;
  // A "+" that was not percent-encoded arrives as a blank.
  return reading === 'instant' ? text.replace(' ', '+') : text;
}

function wrongPath({ method }: Operation, faults: Faults): ApiError {
  const message = `${faults.summary()} Check the path.`;
  return new ApiError(method === 'PUT' ? 'badRequest' : 'notFound', message);
}
