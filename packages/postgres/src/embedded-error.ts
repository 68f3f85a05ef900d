/** The embedded database cannot be had here; the message says why and what to do. */
export class EmbeddedDatabaseError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'EmbeddedDatabaseError';
  }
}
