/** What the command's exit code means; `servery --help` tells the same. */
export const exitCodes = {
  ok: 0,
  /** It could not be done; nothing was changed. */
  failure: 1,
  /** The command line, a setting or a document is not right; nothing was changed. */
  invalid: 2,
  /** Ctrl-C; nothing was changed. */
  interrupted: 130,
  /** SIGTERM; nothing was changed. */
  terminated: 143,
} as const;

/** Why a command is to end early: what its AbortSignal is aborted with. */
export class Interrupted extends Error {
  readonly exitCode: number;

  /** Takes what the person is told, empty for nothing. */
  constructor(message: string, exitCode: number) {
    super(message);
    this.name = 'Interrupted';
    this.exitCode = exitCode;
  }
}
