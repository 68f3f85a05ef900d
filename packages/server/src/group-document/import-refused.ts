/** A sound document that does not fit what the database holds; the message says what to do. */
export class ImportRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ImportRefused';
  }
}
