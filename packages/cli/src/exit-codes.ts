/** What the command's exit code means; `servery --help` tells the same. */
export const exitCodes = {
  ok: 0,
  /** It could not be done. Nothing was changed, or standard error says that this is not known. */
  failure: 1,
  /** The command line, a setting or a document is not right; nothing was changed. */
  invalid: 2,
  /** The platform refused, and said why; nothing was changed. */
  refused: 3,
  /** `start`: the server of the data folder runs already at the same address. */
  alreadyRuns: 4,
  /** `config diff`: the file and what is published differ. */
  differs: 5,
  /**
   * `listen`: a forward failed. `webhooks test`: it was not taken. `webhooks verify`: the signature
   * is not right.
   */
  failed: 6,
  /** Ctrl-C; nothing was changed, or standard error says that this is not known. */
  interrupted: 130,
  /** SIGTERM; nothing was changed, or standard error says that this is not known. */
  terminated: 143,
} as const;

/** Why a command cannot do what it was told: a sentence for the person, and the exit code. */
export class CommandFailure extends Error {
  readonly exitCode: number;

  /** Takes what the person is told, empty for nothing. */
  constructor(message: string, exitCode: number, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.exitCode = exitCode;
  }
}

/** Why a command is to end early: what its AbortSignal is aborted with. */
export class Interrupted extends CommandFailure {}

/** A word of the command line that is not right; takes what is wrong and what to do. */
export function invalidUsage(message: string): CommandFailure {
  return new CommandFailure(message, exitCodes.invalid);
}
