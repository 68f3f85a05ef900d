import type { Client } from '@servery/client/back-office';
import type { FaultOrder, FaultRule, FaultToInject, OperationId } from '@servery/contract';

/** What can go wrong: an operation, or what the client calls it by. */
export type FaultyOperation = OperationId | 'payments.authorize';

const OF_CLIENT = 'payments.authorize' satisfies FaultyOperation;

/** Orders what goes wrong in a sandbox. */
export class SandboxFaults {
  readonly #operator: Client;

  constructor(operator: Client) {
    this.#operator = operator;
  }

  /**
   * Has the next call of the operation go wrong. Faults of webhooks and of the card processor have
   * no operation: pass null.
   */
  async once(
    operation: FaultyOperation | null,
    kind: FaultToInject['kind'],
    parameters: Omit<FaultToInject, 'kind'> = {},
  ): Promise<FaultRule> {
    const id = operation === OF_CLIENT ? 'creditCards.authorize' : operation;
    return await this.add({
      ...(id && { match: { operation: id } }),
      fault: { kind, ...parameters },
      times: 1,
    });
  }

  /** Adds a rule: what goes wrong, where, and how often. */
  async add(order: FaultOrder): Promise<FaultRule> {
    return await this.#operator.call('backOffice.faults.add', { body: order });
  }
}
