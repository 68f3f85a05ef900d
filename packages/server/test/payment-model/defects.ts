import type { ProcessorAnswer } from '@servery/card-simulator/messages.ts';
import { CommitUnknownError } from '@servery/postgres/database.ts';
import { newRandomId } from '@servery/support/ids.ts';
import type { Sql, TransactionOptions } from '../../src/database/database.ts';
import type { Processor } from '../../src/payments/processors/processor.ts';
import type { Sabotage } from './life.ts';

/** A defect that the model must find, and a word of what it must say of it. */
export interface Defect {
  readonly name: string;
  readonly sabotage: Sabotage;
  readonly finding: RegExp;
  /** Whose runs soon have one that meets the defect; 1 when absent. */
  readonly seed?: number;
}

/** The processor's answers, changed on their way. */
function changed(change: (answer: ProcessorAnswer) => ProcessorAnswer): Sabotage {
  return {
    processor: (processor): Processor => ({
      authorize: async (...call) => change(await processor.authorize(...call)),
      inquire: async (...call) => change(await processor.inquire(...call)),
      capture: async (...call) => change(await processor.capture(...call)),
      void: async (...call) => change(await processor.void(...call)),
    }),
  };
}

/** Whoever comes between a statement and its COMMIT needs them not to be sent together. */
const apart = (options: TransactionOptions = {}) => ({ ...options, isOneTrip: false });

/** What was committed, changed behind the program's back after each transaction of it. */
function tampered(change: string): Sabotage {
  return {
    database: (database) => ({
      ...database,
      transaction: async (run, options) => {
        const alter = async (sql: Sql) => {
          const value = await run(sql);
          await sql.unsafe(change);
          return value;
        };
        return await database.transaction(alter, apart(options));
      },
    }),
  };
}

const unknown: ProcessorAnswer = { outcome: 'unknown', explanation: 'nothing was heard' };

/** Each is put between the program and one of its ports; the program itself is untouched. */
export const defects: readonly Defect[] = [
  {
    name: 'a commit that is reported before it happens, and never does when the process dies',
    sabotage: {
      database: (database) => ({
        ...database,
        transaction: async (run, options) => {
          const result = Promise.withResolvers<Awaited<ReturnType<typeof run>>>();
          // What was said to be done is done with the next call that the process makes.
          void database
            .transaction(async (sql) => {
              const value = await run(sql);
              throw Object.assign(new Error('not yet'), { value });
            }, apart(options))
            .catch(async (error: { value?: never }) => {
              if ('value' in error) result.resolve(error.value as never);
              else result.reject(error);
              if ('value' in error) await database.transaction(run, options).catch(() => {});
            });
          return await result.promise;
        },
      }),
    },
    // What was told is not so, be it that it is recorded or that it came to nothing.
    finding: /durable|refused with (?:internal|unavailable) .* in PENDING/,
  },
  {
    name: 'a lost COMMIT that is taken for done',
    sabotage: {
      database: (database) => ({
        ...database,
        transaction: async (run, options) => {
          let value: unknown;
          const remember: typeof run = async (sql) => {
            const result = await run(sql);
            value = result;
            return result;
          };
          try {
            return await database.transaction(remember, apart(options));
          } catch (error) {
            if (error instanceof CommitUnknownError)
              return value as Awaited<ReturnType<typeof run>>;
            throw error;
          }
        },
      }),
    },
    finding: /durable|PAY-I2|PAY-I8|never was|there|vanished/,
    seed: 2,
  },
  {
    name: 'a processor key of its own for each call',
    sabotage: {
      processor: (processor) => {
        const renamed = <Order extends { readonly key: string }>(order: Order): Order => ({
          ...order,
          key: `${order.key.split(':')[0]}:${newRandomId()}:1`,
        });
        return {
          authorize: (order, signal) => processor.authorize(renamed(order), signal),
          inquire: (order, signal) => processor.inquire(order, signal),
          capture: (order, signal) => processor.capture(renamed(order), signal),
          void: (order, signal) => processor.void(renamed(order), signal),
        };
      },
    },
    finding: /durable/,
  },
  {
    name: 'a sweep whose clock is 1 s ahead',
    sabotage: { sweepClock: (clock) => ({ ...clock, nowMs: () => clock.nowMs() + 1_000 }) },
    finding: /early/,
  },
  {
    name: 'a silence that is taken for an approval',
    sabotage: {
      processor: (processor) => ({
        ...processor,
        authorize: async (order, signal) => {
          const answer = await processor.authorize(order, signal).catch(() => unknown);
          if (answer.outcome !== 'unknown') return answer;
          const { amountMinor, currencyCode } = order;
          return {
            ...{ outcome: 'approved', amountMinor, currencyCode },
            ...{ authorizationCode: '000000', reference: 'none' },
          };
        },
      }),
    },
    finding: /nobody approved it/,
  },
  {
    name: 'a refused inquiry that is taken for a call that is not known',
    sabotage: {
      processor: (processor) => ({
        ...processor,
        inquire: async (...call) => {
          const answer = await processor.inquire(...call);
          return answer.outcome === 'notProcessed' ? { ...answer, outcome: 'notFound' } : answer;
        },
      }),
    },
    finding: /no inquiry said/,
  },
  {
    name: 'a void whose refusal is taken for done',
    sabotage: {
      processor: (processor) => ({
        ...processor,
        void: async (order, signal) => {
          const answer = await processor.void(order, signal);
          if (answer.outcome !== 'declined') return answer;
          return {
            ...{ outcome: 'approved', amountMinor: 0, currencyCode: 'USD' },
            ...{ authorizationCode: '000000', reference: 'none' },
          };
        },
      }),
    },
    finding: /did not say/,
  },
  {
    name: 'approvals of any amount that are taken for the amount that was asked for',
    sabotage: {
      processor: (processor) => ({
        ...processor,
        authorize: async (order, signal) => {
          const answer = await processor.authorize(order, signal);
          const { amountMinor, currencyCode } = order;
          return answer.outcome === 'approved' ? { ...answer, amountMinor, currencyCode } : answer;
        },
      }),
    },
    finding: /nobody approved it/,
  },
  {
    name: 'holds that nobody gives up, because voids never reach the processor',
    sabotage: {
      processor: (processor) => ({ ...processor, void: async () => unknown }),
    },
    finding: /never gets quiet/,
  },
  {
    name: 'a meal whose money is lost, and nobody is told',
    sabotage: tampered(`delete from payment_alarm where kind = 'CAPTURE_MISSED'`),
    finding: /CAPTURE_MISSED/,
  },
  {
    name: 'a hold that was not found when it was to be voided, and is never asked about again',
    sabotage: tampered(`
      update payment_attempt a set due_at = null from payment p
      where p.merchant_guid = a.merchant_guid and p.payment_uuid = a.payment_uuid
        and p.state = 'VOIDED' and a.attempt = p.attempt`),
    finding: /is held there, VOIDED here|captured by hand there, VOIDED here/,
    seed: 2,
  },
  {
    name: '"not found" that is believed as soon as a call is unknown, when it began long before',
    sabotage: tampered(`
      update payment set modified_at = modified_at - interval '1 minute'
      where state = 'UNKNOWN' and modified_at = (
        select occurred_at from payment_event e
        where e.merchant_guid = payment.merchant_guid and e.payment_uuid = payment.payment_uuid
          and e.version = payment.version)`),
    finding: /it was believed after|it was given up after/,
  },
  {
    name: 'a capture a minute before its deadline',
    sabotage: tampered(`
      update payment set capture_at = capture_deadline - interval '1 minute',
        due_at = capture_deadline - interval '1 minute'
      where state = 'CAPTURE_SCHEDULED' and capture_at = capture_deadline - interval '1 hour'`),
    finding: /the capture is planned for/,
    seed: 3,
  },
  {
    name: 'a processor that is believed when it says that it did not process a call',
    sabotage: tampered(`
      update payment_attempt set due_at = null where outcome = 'NOT_PROCESSED'`),
    finding: /is held there/,
    seed: 4,
  },
  {
    name: 'processes that do not notice that the clock went back',
    sabotage: {
      sweepClock: (clock) => {
        let latestMs = 0;
        const nowMs = () => {
          latestMs = Math.max(latestMs, clock.nowMs());
          return latestMs;
        };
        return { ...clock, nowMs };
      },
    },
    finding: /early/,
    seed: 18,
  },
  {
    name: 'work that waits for the processor and stays behind when the clock goes back',
    sabotage: {
      sweep: ({ nextDueMs, runDue }) => ({ nextDueMs: () => nextDueMs(), runDue }),
    },
    finding: /stays [A-Z_]+ for another/,
    seed: 2,
  },
  {
    name: 'answers that do not arrive in the order of the calls, but one late',
    sabotage: (() => {
      let last: ProcessorAnswer = unknown;
      return changed((answer) => {
        const earlier = last;
        last = answer;
        return earlier;
      });
    })(),
    finding: /./,
  },
];
