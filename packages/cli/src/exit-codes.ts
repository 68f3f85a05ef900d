/** What exit codes mean, as in `servery --help`. */
export const exitCodes = {
  ok: 0,
  /** Nothing was changed, or standard error says otherwise: an unknown outcome, or a clock that moved. */
  failure: 1,
  /** The command line, a setting or a document is wrong, or a name is unknown; nothing was changed. */
  invalid: 2,
  /** The platform refused; nothing was changed. */
  refused: 3,
  /** `start`: the server of the data directory already runs at the same address. */
  alreadyRuns: 4,
  /** `config diff`, `sandbox diff`, `requests replay --diff`: the two that were compared differ. */
  differs: 5,
  /**
   * `listen`, `webhooks test`: an event was not accepted. `webhooks verify`: a wrong signature.
   * `conform`, `certify`: a check failed.
   */
  failed: 6,
  interrupted: 130,
  terminated: 143,
} as const;

/** Why a command failed: a sentence for the person, and the exit code. */
export class CommandFailure extends Error {
  readonly exitCode: number;

  /** An empty message tells nothing. */
  constructor(message: string, exitCode: number, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.exitCode = exitCode;
  }
}

/** Why a command ends early: what its AbortSignal is aborted with. */
export class Interrupted extends CommandFailure {}

/** What is wrong with the command line, and what to do. */
export function invalidUsage(message: string): CommandFailure {
  return new CommandFailure(message, exitCodes.invalid);
}

/** Ends a command with an exit code and no message: what it showed says all. */
export function endsWith(code: keyof typeof exitCodes): CommandFailure {
  return new CommandFailure('', exitCodes[code]);
}
