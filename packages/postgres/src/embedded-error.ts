/** There can be no embedded database here; the message says why and what to do. */
export class EmbeddedDatabaseError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'EmbeddedDatabaseError';
  }
}
