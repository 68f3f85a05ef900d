const CLIENT_ID = /^[A-Za-z0-9._~-]{1,128}$/;

/** True for text that can be a client id; anything else is unknown without asking the database. */
export function isClientId(text: string): boolean {
  return CLIENT_ID.test(text);
}
