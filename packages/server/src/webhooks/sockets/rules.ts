export interface TargetRules {
  /** Also allows `http` to loopback. Sandboxes only; production never sets it. */
  readonly allowsLoopback: boolean;
  readonly blockedNetworks?: readonly string[];
}
