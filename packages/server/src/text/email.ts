const EMAIL = /^[^\s@\p{Cc}]{1,64}@[^\s@.\p{Cc}]+(\.[^\s@.\p{Cc}]+)*$/u;
const LONGEST = 254;

export function readEmail(text: string): string | null {
  const email = text.trim().toLowerCase();
  return EMAIL.test(email) && email.length <= LONGEST ? email : null;
}
