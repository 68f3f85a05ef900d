/** An attempt to deliver an event, and what became of the delivery. */
export interface DoneAttempt {
  /** Whose endpoint it is. */
  readonly partnerGuid: string;
  readonly endpointGuid: string;
  readonly deliveryGuid: string;
  readonly eventGuid: string;
  readonly eventType: string;
  readonly outcome: string;
  /** The HTTP status; null when there was no answer. */
  readonly status: number | null;
  readonly state: string;
  /** When it is tried again; null when no instant sets that going. */
  readonly nextMs: number | null;
}

/** One piece of due work that was done. Instants are epoch milliseconds of the environment. */
export interface DoneWork {
  /** When it was due; of an attempt to deliver an event, when it was made. */
  readonly dueMs: number;
  readonly kind: string;
  readonly merchantGuid: string | null;
  readonly paymentUuid: string | null;
  readonly fromState: string | null;
  readonly cause: string | null;
  readonly toState: string | null;
  /** Absent for all work but webhooks. */
  readonly webhook?: DoneAttempt;
}

/** Where somebody may look: everywhere, or in these groups, restaurants and matters of partners. */
export interface Reach {
  /** True for the whole platform: the lists do not matter then. */
  readonly isPlatform: boolean;
  readonly groupGuids: readonly string[];
  readonly restaurantGuids: readonly string[];
  readonly partnerGuids: readonly string[];
}

/** The whole platform. */
export const everywhere: Reach = {
  ...{ isPlatform: true, groupGuids: [], restaurantGuids: [], partnerGuids: [] },
};

/** How due work is done. */
export interface RunDueOptions {
  readonly isSequential: boolean;
  /** After so many pieces a sequential run ends, so that its caller can look round. */
  readonly piecesAtMost?: number;
}

/** Work that an instant of the environment's clock sets going. */
export interface DueWork {
  /** The earliest instant at which anything is due, in epoch milliseconds; null for nothing. */
  nextDueMs(): Promise<number | null>;
  /**
   * Does all that is due at `nowMs`, and gives what was done in the order of its due time. When
   * `isSequential`, one piece runs after the other, and work that another process holds is waited
   * for; otherwise several run at once and held work is left to its holder. Work that fails is let
   * go of and put off. A process that stops begins nothing more, so that this ends early then.
   */
  runDue(nowMs: number, options: RunDueOptions): Promise<DoneWork[]>;
  /** Told when the clock went back to `nowMs`: what waits for no deadline is due by then. */
  clockWentBack?(nowMs: number): Promise<void>;
  /**
   * Makes due at `nowMs` what waits for no deadline and is due further ahead than it ever waits:
   * whoever put it off had not seen yet that the clock went back.
   */
  bringBack?(nowMs: number): Promise<void>;
}

/** Due work that somebody waits for, and asks about. */
export interface DeadlineWork extends DueWork {
  /** As for all due work, and of what lies within a reach alone; everywhere when absent. */
  nextDueMs(reach?: Reach): Promise<number | null>;
}
