import type { ProcessorAnswer } from '@servery/card-simulator/messages.ts';
import { CommitUnknownError } from '@servery/postgres/database.ts';
import { makeSql, type Send } from '@servery/postgres/sql.ts';
import { sleep } from '@servery/support/timer.ts';
import type { Database, TransactionOptions } from '../../src/database/database.ts';
import { refuseTouching, withTouching } from '../../src/database/sql.ts';
import type { Processor } from '../../src/payments/processors/processor.ts';
import { count } from './counts.ts';
import type { ModelProcessor } from './model-processor.ts';
import type { Crash, Performed, Port, Scheduler, Task } from './scheduler.ts';

const transactionFaults = [
  'commitLostDone',
  'commitLostUndone',
  'conflict',
  'lostBefore',
  'lostInside',
  'crashBefore',
  'crashAfter',
] as const;
const statementFaults = ['lostBefore', 'lostAfter', 'crashBefore', 'crashAfter'] as const;
const processorFaults = [
  'refused',
  'unknownBefore',
  'unknownAfter',
  'brokenBefore',
  'brokenAfter',
  'silentBefore',
  'silentAfter',
  'slow',
  'lateSoon',
  'lateMinutes',
  'lateHours',
  'duplicate',
  'refusedAfter',
  'refusedLate',
  'crashBefore',
  'crashAfter',
] as const;
type ProcessorFault = (typeof processorFaults)[number];

/** How the processor can be reached: for a time it refuses calls, or swallows them. */
export type Reach = 'up' | 'refusing' | 'silent' | 'deafToInquiries';

const LATE_MS: Readonly<Partial<Record<ProcessorFault, number>>> = {
  lateSoon: 25_000,
  lateMinutes: 7 * 60_000,
  lateHours: 20 * 3_600_000,
  refusedLate: 7 * 60_000,
};

const SLOW_MS = 3_000;

/** What reached our processes of what the processor says: by call, the newest last. */
export interface Delivery {
  readonly port: Port;
  readonly key: string;
  readonly answer: ProcessorAnswer | null;
  readonly envMs: number;
  readonly realMs: number;
}

function pickFault<Fault extends string>(
  faults: readonly Fault[],
  variant: number | null,
): Fault | null {
  return variant === null ? null : (faults[variant % faults.length] ?? null);
}

function meet(scheduler: Scheduler, port: Port, fault: string): void {
  const name = `${port} ${fault}`;
  count('faults', name);
  if (!isUnnoticed(scheduler.task(), fault)) scheduler.trouble(scheduler.task());
  scheduler.note(`  !! ${name}`);
}

/** What a caller must not notice: a conflict, and one COMMIT whose answer is lost. */
function isUnnoticed(task: Task, fault: string): boolean {
  if (fault.startsWith('commitLost')) {
    task.lostCommits += 1;
    return task.lostCommits === 1;
  }
  return fault === 'conflict' || fault === 'duplicate';
}

function crashIn(
  scheduler: Scheduler,
  port: Port,
  faults: readonly string[],
): (variant: number) => Crash {
  return (variant) => {
    const fault = faults[variant % faults.length] ?? '';
    if (!fault.startsWith('crash')) return null;
    meet(scheduler, port, fault);
    return fault === 'crashBefore' ? 'before' : 'after';
  };
}

function connectionLost(): Error {
  return Object.assign(new Error('the connection was lost'), { code: 'CONNECTION_LOST' });
}

class RolledBack extends Error {}

/** A database that a process of ours reaches through the scheduler, with the faults on the way. */
export function scheduledDatabase(scheduler: Scheduler, database: Database): Database {
  const rollBack = async (run: Parameters<Database['transaction']>[0]) => {
    await database
      .transaction(async (sql) => {
        await run(sql);
        throw new RolledBack();
      })
      .catch((error: unknown) => {
        if (!(error instanceof RolledBack)) throw error;
      });
  };
  const send: Send = (strings, values) =>
    scheduler.call(
      'statement',
      firstWords(strings),
      async (variant) => {
        const fault = pickFault(statementFaults, variant);
        if (fault) meet(scheduler, 'statement', fault);
        if (fault === 'lostBefore') throw connectionLost();
        const rows = await (typeof strings === 'string'
          ? database.sql.unsafe(strings)
          : database.sql(strings, ...(values ?? [])));
        if (fault === 'lostAfter') throw connectionLost();
        return { value: rows };
      },
      crashIn(scheduler, 'statement', statementFaults),
    ) as ReturnType<Send>;
  const transaction: Database['transaction'] = (run, options) =>
    scheduler.call(
      'transaction',
      '',
      async (variant) => {
        const fault = pickFault(transactionFaults, variant);
        if (fault) meet(scheduler, 'transaction', fault);
        if (fault === 'lostBefore') throw connectionLost();
        if (fault && fault !== 'commitLostDone') await rollBack(run);
        if (fault === 'lostInside') throw connectionLost();
        if (fault === 'commitLostUndone') throw new CommitUnknownError(connectionLost());
        const value = await database.transaction(run, withoutLimit(options));
        if (fault === 'commitLostDone') throw new CommitUnknownError(connectionLost());
        return { value };
      },
      crashIn(scheduler, 'transaction', transactionFaults),
    );
  return {
    ...database,
    sql: withTouching(makeSql(send), refuseTouching),
    transaction,
    close: async () => {},
  };
}

/** A limit in real time would tell how busy the machine is: a run has the scheduler's time. */
function withoutLimit(options: TransactionOptions = {}): TransactionOptions {
  const { statementTimeoutMs: _, ...rest } = options;
  return rest;
}

function firstWords(strings: TemplateStringsArray | string): string {
  const text = typeof strings === 'string' ? strings : strings.join('…');
  return text.trim().replaceAll(/\s+/g, ' ').slice(0, 60);
}

/** The line to the processor: whether it holds now, and who is told what came over it. */
export interface Line {
  readonly reach: () => Reach;
  /** The caller's clock. */
  readonly nowMs: () => number;
  /** `sentMs` is what the caller's clock said when it decided to call. */
  readonly onCall: (port: Port, key: string, order: unknown, sentMs: number) => Promise<void>;
  readonly onDelivery: (delivery: Delivery) => void;
}

/** A processor that a process of ours reaches through the scheduler, with the faults on the way. */
export function scheduledProcessor(
  scheduler: Scheduler,
  modelProcessor: ModelProcessor,
  line: Line,
): Processor {
  const send = <Order extends { readonly key: string }>(
    port: 'authorize' | 'inquire' | 'capture' | 'void',
    order: Order,
    signal: AbortSignal,
    happen: () => ProcessorAnswer,
  ) => {
    const sentMs = line.nowMs();
    return scheduler.call<ProcessorAnswer>(
      port,
      order.key,
      async (variant) => {
        const picked = pickFault(processorFaults, variant) ?? faultOfReach(port, line.reach());
        const fault = port === 'authorize' ? picked : withoutLie(picked);
        if (fault) meet(scheduler, port, fault);
        await line.onCall(port, order.key, order, sentMs);
        const told = (answer: ProcessorAnswer | null) => {
          const { envMs, realMs } = scheduler;
          line.onDelivery({ port, key: order.key, answer, envMs, realMs });
          const code = answer?.outcome === 'declined' ? answer.responseCode : '';
          scheduler.note(
            `  processor: ${answer ? `${answer.outcome} ${code}` : 'nothing is heard'}`,
          );
        };
        return deliver(scheduler, modelProcessor, { fault, signal, happen, told });
      },
      crashIn(scheduler, port, processorFaults),
    );
  };
  return {
    authorize: (order, signal) =>
      send('authorize', order, signal, () => modelProcessor.authorize(order)),
    inquire: (order, signal) =>
      send('inquire', order, signal, () => modelProcessor.inquire(order.key)),
    capture: (order, signal) => send('capture', order, signal, () => modelProcessor.capture(order)),
    void: (order, signal) => send('void', order, signal, () => modelProcessor.void(order)),
  };
}

function faultOfReach(port: Port, reach: Reach): ProcessorFault | null {
  const fault = reachFaults[reach];
  if (!fault || (reach === 'deafToInquiries' && port !== 'inquire')) return null;
  return fault;
}

const reachFaults: Readonly<Record<Reach, ProcessorFault | null>> = {
  up: null,
  refusing: 'refused',
  silent: 'silentBefore',
  deafToInquiries: 'refused',
};

/** That a call was not processed is a lie about authorizations only. */
function withoutLie(fault: ProcessorFault | null): ProcessorFault | null {
  return fault?.startsWith('refused') ? 'refused' : fault;
}

interface Call {
  readonly fault: ProcessorFault | null;
  readonly signal: AbortSignal;
  readonly happen: () => ProcessorAnswer;
  readonly told: (answer: ProcessorAnswer | null) => void;
}

/** Nothing left: the only refusal that is sure. */
const notConnected: ProcessorAnswer = {
  ...{ outcome: 'notProcessed', isUnsent: true },
  explanation: 'not connected',
};
/** The processor says so, and it may lie. */
const saidToBeRefused: ProcessorAnswer = {
  outcome: 'notProcessed',
  explanation: 'not processed, it says',
};

async function deliver(
  scheduler: Scheduler,
  modelProcessor: ModelProcessor,
  call: Call,
): Promise<Performed<ProcessorAnswer>> {
  const { fault, happen, told } = call;
  const effect = { value: null as ProcessorAnswer | null };
  const hasEffect = fault === null || /After$|^slow$|^duplicate$/.test(fault);
  if (fault === 'duplicate') happen();
  if (hasEffect) effect.value = happen();
  const lateMs = fault && LATE_MS[fault];
  if (lateMs) modelProcessor.later(scheduler.time.travelledMs + lateMs, happen);
  if (fault?.startsWith('refused')) {
    const value = fault === 'refused' ? notConnected : saidToBeRefused;
    told(value);
    return { value };
  }
  if (fault === 'slow') return { late: slowly(scheduler, call, effect.value) };
  if (effect.value && (fault === null || fault === 'duplicate')) {
    told(effect.value);
    return { value: effect.value };
  }
  told(null);
  if (fault?.startsWith('broken')) throw new Error('the answer broke off');
  if (fault?.startsWith('unknown')) {
    return { value: { outcome: 'unknown', explanation: 'the line was lost' } };
  }
  return { late: silence(call.signal) };
}

async function slowly(
  scheduler: Scheduler,
  { signal, told }: Call,
  answer: ProcessorAnswer | null,
): Promise<ProcessorAnswer> {
  await sleep(SLOW_MS, signal, scheduler.timer).catch((error: unknown) => {
    told(null);
    throw error;
  });
  told(answer);
  return answer ?? { outcome: 'unknown', explanation: 'nothing' };
}

function silence(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}
