const CLIENT_ID = /^[A-Za-z0-9._~-]{1,128}$/;

/** Saves asking the database about any other text. */
export function isClientId(text: string): boolean {
  return CLIENT_ID.test(text);
}
