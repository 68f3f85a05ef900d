/** The code or class of an error. Its text could repeat what was sent. */
export function errorKind(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const name = String((error as NodeJS.ErrnoException).code ?? error.name);
  return /^(?!.*\d{3})[A-Za-z]\w{0,60}$/.test(name) ? name : 'Error';
}
