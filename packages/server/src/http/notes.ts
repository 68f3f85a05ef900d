import type { ExplainedPayment, ExplainedRestaurant, ExplainedToken } from '@servery/contract';
import { StatementNotes } from '../database/statement-times.ts';

/** What a handler tells the log. Never a secret, a card number, or a guest's text. */
export interface HandlerNotes {
  readonly isRepeat?: boolean;
  readonly payment?: Partial<ExplainedPayment>;
}

/** What a refusal tells the log besides its message. */
export interface RefusalNotes {
  /** In the docs, for example `PAY-10`. */
  readonly rule?: string;
  readonly token?: Partial<ExplainedToken>;
}

/** What is known of a request while it is served, for its explanation in the log. */
export class RequestNotes {
  readonly statements = new StatementNotes();
  restaurant: ExplainedRestaurant['outcome'] = null;
  isRepeat = false;
  payment: Partial<ExplainedPayment> | null = null;
  refusal: RefusalNotes | null = null;

  add({ isRepeat, payment }: HandlerNotes): void {
    this.isRepeat ||= isRepeat === true;
    if (payment) this.payment = { ...this.payment, ...payment };
  }
}
