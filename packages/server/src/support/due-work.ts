export interface DoneAttempt {
  readonly partnerGuid: string;
  readonly endpointGuid: string;
  readonly deliveryGuid: string;
  readonly eventGuid: string;
  readonly eventType: string;
  readonly outcome: string;
  readonly status: number | null;
  readonly state: string;
  readonly nextMs: number | null;
}

export interface DoneWork {
  /** For a webhook attempt: when it was made. */
  readonly dueMs: number;
  readonly kind: string;
  readonly merchantGuid: string | null;
  readonly paymentUuid: string | null;
  readonly fromState: string | null;
  readonly cause: string | null;
  readonly toState: string | null;
  readonly webhook?: DoneAttempt;
}

export interface Reach {
  /** When true, the lists are ignored. */
  readonly isPlatform: boolean;
  readonly groupGuids: readonly string[];
  readonly restaurantGuids: readonly string[];
  readonly partnerGuids: readonly string[];
}

export const everywhere: Reach = {
  ...{ isPlatform: true, groupGuids: [], restaurantGuids: [], partnerGuids: [] },
};

export interface RunDueOptions {
  readonly isSequential: boolean;
  /** Ends a sequential run early, so that its caller can check its state. */
  readonly piecesAtMost?: number;
}

export interface DueWork {
  nextDueMs(): Promise<number | null>;
  /**
   * Returns what was done, in the order of due times. With `isSequential`, pieces run one by one
   * and wait for work that another process holds; otherwise several run at once and held work is
   * skipped. Failed work is released and put off. Ends early when the process stops.
   */
  runDue(nowMs: number, options: RunDueOptions): Promise<DoneWork[]>;
  /** After the clock went back to `nowMs`: what waits for no deadline becomes due. */
  clockWentBack?(nowMs: number): Promise<void>;
  /**
   * Makes due what is further ahead than it ever waits: a process put it off before it saw that the
   * clock went back.
   */
  bringBack?(nowMs: number): Promise<void>;
}

export interface DeadlineWork extends DueWork {
  nextDueMs(reach?: Reach): Promise<number | null>;
}
