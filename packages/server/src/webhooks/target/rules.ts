/** What an environment allows of the addresses that its partners name. */
export interface TargetRules {
  /**
   * Whether receivers may stand on this machine: then loopback is allowed, and `http` to it. For
   * sandboxes only; production never sets it.
   */
  readonly allowsLoopback: boolean;
}
