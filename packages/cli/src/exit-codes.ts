/** What the command's exit code means; `servery --help` tells the same. */
export const exitCodes = {
  ok: 0,
  /** It could not be done; nothing was changed. */
  failure: 1,
  /** The command line, a setting or a document is not right; nothing was changed. */
  invalid: 2,
  interrupted: 130,
} as const;
