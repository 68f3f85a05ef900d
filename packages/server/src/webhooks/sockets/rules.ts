/** What an environment allows of the addresses that its partners name. */
export interface TargetRules {
  /**
   * Whether receivers may stand on this machine: then loopback is allowed, and `http` to it. For
   * sandboxes only; production never sets it.
   */
  readonly allowsLoopback: boolean;
  /** Addresses and networks that the operator keeps to itself, beside those that are not public. */
  readonly blockedNetworks?: readonly string[];
}
