import {
  type FaultKind,
  type FaultKindDescription,
  type FaultParameter,
  type FaultPhase,
  type FaultToInject,
  faultKindNames,
  faultKinds,
  faultStatuses,
  type InjectedFault,
  processorCalls,
} from '@servery/contract';
import { nearestNames } from '@servery/support/nearest-names.ts';

export type Fault = InjectedFault;

const LONGEST_WAIT_MS = 120_000;
const LONGEST_DELAY_MS = 86_400_000;
const DURATION = /^P(?!$)(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+(\.\d{1,3})?S)?)?$/;

function describeKind(kind: FaultKind): FaultKindDescription {
  return faultKinds[kind];
}

export const phaseOf = ({ kind }: Pick<Fault, 'kind'>): FaultPhase => faultKinds[kind].phase;

/** A parameter that is wrong, and what it must be. */
export interface WrongParameter {
  readonly parameter: FaultParameter;
  readonly message: string;
}

const nothing: Omit<Fault, 'kind'> = {
  ...{ status: null, retryAfterSeconds: null, duration: null, code: null },
  ...{ amount: null, inquiries: null, call: null },
};

/** Fills in what was left out, and says which parameters don't fit. */
export function completeFault({ kind, ...given }: FaultToInject): {
  readonly fault: Fault;
  readonly wrong: readonly WrongParameter[];
} {
  const { parameter, fallback = null } = describeKind(kind);
  const others = Object.keys(given).filter((name) => name !== parameter) as FaultParameter[];
  const wrong = others.map((other) => ({
    parameter: other,
    message: `does not go with ${kind}, which takes ${parameter ? `fault.${parameter}` : 'none'}`,
  }));
  const filled = parameter ? { [parameter]: fallback } : {};
  const fault: Fault = { kind, ...nothing, ...filled, ...given };
  const limitMs = longestMs(kind);
  const lengthMs = fault.duration === null ? null : durationMs(fault.duration);
  if (parameter !== 'duration' || (lengthMs !== null && lengthMs > 0 && lengthMs <= limitMs)) {
    return { fault, wrong };
  }
  const limit = limitMs === LONGEST_DELAY_MS ? 'a day' : 'two minutes';
  const message = `must be an ISO 8601 duration of at most ${limit}, for example PT2S`;
  return { fault, wrong: [...wrong, { parameter, message }] };
}

function longestMs(kind: FaultKind): number {
  return faultKinds[kind].phase === 'webhooks' ? LONGEST_DELAY_MS : LONGEST_WAIT_MS;
}

/** Null for what is no duration of days and less. */
export function durationMs(text: string): number | null {
  return DURATION.test(text) ? Temporal.Duration.from(text).total('milliseconds') : null;
}

/** Returns what is wrong with a header, as the rest of a sentence that begins with its name. */
export function readFaultText(text: string): Fault | string {
  const [name = '', value, ...more] = text.trim().split('=');
  const kind = faultKindNames.find((each) => each === name);
  if (!kind) return unknownKind(name);
  const { parameter } = describeKind(kind);
  if (value === undefined) return completeFault({ kind }).fault;
  if (!parameter) return `gives ${kind} a value, and it takes none. Write ${kind} alone`;
  const example = `Write, for example, ${kind}=${exampleOf(kind)}`;
  if (more.length > 0) return `has more than one = sign. ${example}`;
  const read = readers[parameter](value);
  if (typeof read === 'string') return `is wrong: the value of ${kind} ${read}. ${example}`;
  const { fault, wrong } = completeFault({ kind, ...read });
  const [first] = wrong;
  return first ? `is wrong: the value of ${kind} ${first.message}. ${example}` : fault;
}

function unknownKind(name: string): string {
  const near = nearestNames(name, faultKindNames);
  const meant = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : '';
  return (
    `names no fault.${meant} Write, for example, lostAnswer or latency=PT2S. ` +
    '`servery faults add --help` lists all faults'
  );
}

function exampleOf(kind: FaultKind): string | number {
  const { parameter, fallback = null } = describeKind(kind);
  return fallback ?? (parameter === 'amount' ? '12.50' : processorCalls[0]);
}

type Reader = (text: string) => Omit<FaultToInject, 'kind'> | string;

const wholeBetween = (least: number, most: number, make: (value: number) => object): Reader => {
  return (text) => {
    const value = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return make(value);
    return `must be a whole number from ${least} to ${most}`;
  };
};

const readers: Readonly<Record<FaultParameter, Reader>> = {
  status: (text) => {
    const status = faultStatuses.find((each) => String(each) === text);
    return status ? { status } : `must be one of ${faultStatuses.join(', ')}`;
  },
  retryAfterSeconds: wholeBetween(1, 3_600, (retryAfterSeconds) => ({ retryAfterSeconds })),
  inquiries: wholeBetween(1, 10, (inquiries) => ({ inquiries })),
  duration: (duration) => ({ duration }),
  code: (code) => (/^[0-9A-Z]{2}$/.test(code) ? { code } : 'must be two digits or capital letters'),
  amount: (text) =>
    /^\d{1,9}(\.\d{1,3})?$/.test(text) ? { amount: Number(text) } : 'must be an amount of money',
  call: (text) => {
    const call = processorCalls.find((each) => each === text);
    return call ? { call } : `must be one of ${processorCalls.join(', ')}`;
  },
};
