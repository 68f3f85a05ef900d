import { createRequire } from 'node:module';
import type { Secret } from '@servery/support/secret.ts';
import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import type { Fault, FaultRule } from './faults.ts';
import { type Operation, type Orders, operations, type ProcessorAnswer } from './messages.ts';

/** See docs/reference/processor-protocol.md. */
export const PROTOCOL = 1;

/** Names the ledger that a call is meant for, to a simulator that told which one it has. */
export const LEDGER_HEADER = 'servery-ledger';

/** Orders a fault for one call. */
export const FAULT_HEADER = 'servery-fault';

/** For a request or an answer. */
export const MESSAGE_LIMIT_BYTES = 65_536;

export interface WireAnswer {
  readonly protocol: typeof PROTOCOL;
  /** Null when the request was refused before it was read. */
  readonly key: string | null;
  readonly answer: ProcessorAnswer;
}

/** `/hello` is the first call of each start. */
export interface WireHello {
  readonly protocol: typeof PROTOCOL;
  readonly key: string;
  /** Null or absent for a processor without a ledger that has to be told apart. */
  readonly answer: { readonly outcome: 'ready'; readonly ledger?: string | null };
}

export interface WireHealth {
  readonly protocol: typeof PROTOCOL;
  readonly status: 'ready' | 'starting' | 'stopping';
  /** Each run of the processor has another one. */
  readonly instance: string;
  /** Null while it is not loaded, absent for a processor without one. */
  readonly ledger?: string | null;
}

/** `POST /ledgers` of the simulator. */
export interface WireNewLedger {
  readonly protocol: typeof PROTOCOL;
  readonly ledger: string;
  /** The ledger that it is a copy of: `main`, or the id of another. Null for an empty one. */
  readonly copyOf: string | null;
}

/** `GET /ledgers` of the simulator. */
export interface WireLedgers {
  readonly protocol: typeof PROTOCOL;
  /** Without the main one. */
  readonly ledgers: readonly { readonly ledger: string; readonly isLoaded: boolean }[];
}

export function callHeaders(secret: Secret | null): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (secret) headers.authorization = `Bearer ${secret.reveal()}`;
  return headers;
}

const protocol = { const: PROTOCOL };
const key = { type: 'string', minLength: 1, maxLength: 200 };
const amountMinor = { type: 'integer', minimum: 0, maximum: 999_999_999_999 };
const currencyCode = { type: 'string', pattern: '^[A-Z]{3}$' };
const text = { type: 'string', maxLength: 100 };

function object(properties: Record<string, object>, optional: readonly string[] = []) {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required, additionalProperties: false };
}

/** What a later version adds to an answer doesn't make it unreadable. */
function open(properties: Record<string, object>, optional: readonly string[] = []) {
  return { ...object(properties, optional), additionalProperties: true };
}

const orderSchemas: Record<Operation, object> = {
  authorize: object({
    ...{ protocol, key, amountMinor, currencyCode },
    paymentId: key,
    merchantGuid: key,
    card: object({
      number: { type: 'string', pattern: '^[0-9]{12,19}$' },
      securityCode: { type: ['string', 'null'], maxLength: 100 },
      ...{ expMonth: text, expYear: text, postalCode: text, country: text },
    }),
    cardNumberOrigin: { enum: ['END_USER', 'PARTNER_VAULT'] },
    willSaveCard: { type: 'boolean' },
  }),
  inquire: object({ protocol, key }),
  capture: object({ protocol, key, authorizationKey: key, amountMinor, currencyCode }),
  void: object({ protocol, key, authorizationKey: key }),
};

const explanation = { type: 'string', maxLength: 10_000 };

const answers = {
  approved: open({
    outcome: { const: 'approved' },
    // Longer than a security code and much shorter than a card number, so that it cannot be one.
    authorizationCode: { type: 'string', pattern: '^[A-Za-z0-9]{5,8}$' },
    ...{ amountMinor, currencyCode },
    reference: { type: 'string', pattern: '^[A-Za-z0-9._:-]{1,64}$' },
  }),
  declined: open({
    outcome: { const: 'declined' },
    responseCode: { type: 'string', pattern: '^[0-9A-Z]{2}$' },
  }),
  notProcessed: open({ outcome: { const: 'notProcessed' }, explanation }),
  notFound: open({ outcome: { const: 'notFound' }, explanation }),
  unknown: open({ outcome: { const: 'unknown' }, explanation }),
};

const { notFound: _notFound, ...authorizeAnswers } = answers;

function answerSchema(allowed: Record<string, object>): object {
  return open({
    protocol,
    key: { type: ['string', 'null'] },
    answer: { oneOf: Object.values(allowed) },
  });
}

const plainFaults = [
  'timeOutBefore',
  'timeOutAfter',
  'droppedConnectionBefore',
  'droppedConnectionAfter',
  'brokenAnswer',
  'duplicate',
  'notProcessed',
];

const faultSchema = {
  oneOf: [
    object({ kind: { enum: plainFaults } }),
    object({
      kind: { const: 'delay' },
      delayMs: { type: 'integer', minimum: 0, maximum: 600_000 },
    }),
    object(
      {
        kind: { const: 'lateApproval' },
        questions: { type: 'integer', minimum: 1, maximum: 1_000 },
      },
      ['questions'],
    ),
    object({
      kind: { const: 'declined' },
      responseCode: { type: 'string', pattern: '^[0-9A-Z]{2}$' },
    }),
    object({
      kind: { const: 'otherAmount' },
      amountMinor: { ...amountMinor, type: ['integer', 'null'] },
    }),
  ],
};

const ruleSchema = object(
  {
    operation: { enum: [...operations, 'any'] },
    match: object({ key, paymentId: key, last4: { type: 'string', pattern: '^[0-9]{4}$' } }, [
      'key',
      'paymentId',
      'last4',
    ]),
    count: { type: 'integer', minimum: 1, maximum: 1_000_000 },
    fault: faultSchema,
  },
  ['match'],
);

const UUID = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';

const ledger = { type: ['string', 'null'], pattern: UUID };

const ledgerId = new RegExp(UUID);

export const isLedgerId = (text: string): boolean => ledgerId.test(text);

const helloOrderSchema = object({ protocol, key });

const helloSchema = open({
  ...{ protocol, key },
  answer: open({ outcome: { const: 'ready' }, ledger }, ['ledger']),
});

const healthSchema = open(
  { protocol, status: { enum: ['ready', 'starting', 'stopping'] }, instance: key, ledger },
  ['ledger'],
);

const newLedgerSchema = object({
  protocol,
  ledger: { type: 'string', pattern: UUID },
  copyOf: { type: ['string', 'null'], pattern: `^main$|${UUID}` },
});

const ledgersSchema = open({
  protocol,
  ledgers: {
    type: 'array',
    items: open({ ledger: { type: 'string', pattern: UUID }, isLoaded: { type: 'boolean' } }),
  },
});

/** Never quotes a value. */
export class WrongShape extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'WrongShape';
  }
}

const require = createRequire(import.meta.url);
let compiler: Ajv2020 | undefined;
const compiled = new Map<object, ValidateFunction>();

/** Makes a function that throws WrongShape for a value of another shape. */
function reader<Value>(schema: object): (value: unknown) => Value {
  return (value) => {
    const validate = compiled.get(schema) ?? compilerOf().compile(schema);
    compiled.set(schema, validate);
    if (!validate(value)) throw new WrongShape(reasonOf(validate.errors?.[0]));
    return value as Value;
  };
}

/** Loaded with the first message: a platform without a processor process needs none. */
function compilerOf(): Ajv2020 {
  if (compiler) return compiler;
  const { Ajv2020 }: typeof import('ajv/dist/2020.js') = require('ajv/dist/2020.js');
  // A test validates the schemas: doing it here would be most of the time of a first message.
  compiler = new Ajv2020({ strict: true, allowUnionTypes: true, validateSchema: false });
  return compiler;
}

function reasonOf(error: ErrorObject | undefined): string {
  return `${error?.instancePath || 'the message'} ${error?.message ?? 'is of a wrong shape'}`;
}

const toAuthorize = answerSchema(authorizeAnswers);
const toOthers = answerSchema(answers);

/** For the test that validates the schemas. */
export const protocolSchemas: readonly object[] = [
  ...Object.values(orderSchemas),
  ...[toAuthorize, toOthers, ruleSchema, healthSchema, helloOrderSchema, helloSchema],
  ...[newLedgerSchema, ledgersSchema],
];

export const readOrder = (name: Operation, value: unknown) =>
  reader<Orders[Operation]>(orderSchemas[name])(value);

export const readAnswer = (name: Operation, value: unknown) =>
  reader<WireAnswer>(name === 'authorize' ? toAuthorize : toOthers)(value);

export const readRule = reader<FaultRule>(ruleSchema);

export const readFault = reader<Fault>(faultSchema);

export const readHelloOrder = reader<{ readonly key: string }>(helloOrderSchema);

export const readHello = reader<WireHello>(helloSchema);

export const readHealth = reader<WireHealth>(healthSchema);

export const readNewLedger = reader<WireNewLedger>(newLedgerSchema);

export const readLedgers = reader<WireLedgers>(ledgersSchema);
