import type { Client } from '@servery/client/back-office';
import type { ClockMove, ClockStatus } from '@servery/contract';
import { machineClock } from '@servery/support/clock.ts';

/** The clock of a sandbox. A move does all work that is due on the way, and says what was done. */
export class SandboxClock {
  readonly #operator: Client;
  #aheadMs = 0;

  constructor(operator: Client) {
    this.#operator = operator;
  }

  /** The time in the sandbox, and the next deadline. */
  async get(): Promise<ClockStatus> {
    return this.#follow(await this.#operator.call('backOffice.clock.get'));
  }

  /** By an ISO 8601 duration, for example PT5M. */
  async advance(duration: string): Promise<ClockMove> {
    return this.#moved(
      await this.#operator.call('backOffice.clock.advance', { body: { duration } }),
    );
  }

  /** To the next deadline: of a payment, an order, stock, or a webhook. */
  async next(): Promise<ClockMove> {
    return this.#moved(await this.#operator.call('backOffice.clock.next'));
  }

  /** To an instant. Going back undoes nothing. */
  async set(now: Date | string): Promise<ClockMove> {
    const body = { now: typeof now === 'string' ? now : now.toISOString() };
    return this.#moved(await this.#operator.call('backOffice.clock.set', { body }));
  }

  /** Stops the time. While it stands, calls to the card processor are not retried. */
  async freeze(): Promise<ClockMove> {
    return this.#moved(await this.#operator.call('backOffice.clock.freeze'));
  }

  /** Lets the time run again. */
  async run(): Promise<ClockMove> {
    return this.#moved(await this.#operator.call('backOffice.clock.run'));
  }

  /** The time in the sandbox since the last move, as if it ran: clients measure their waits by it. */
  nowMs(): number {
    return machineClock.nowMs() + this.#aheadMs;
  }

  #moved(move: ClockMove): ClockMove {
    this.#follow(move.clock);
    return move;
  }

  #follow(status: ClockStatus): ClockStatus {
    this.#aheadMs = Date.parse(status.now) - machineClock.nowMs();
    return status;
  }
}
