import { invalidUsage } from '../exit-codes.ts';

/**
 * The address that `--forward-to` means: as it stands, or a port of this machine, or a host with
 * its port. Throws CommandFailure for what is none, and never shows a password.
 */
export function readForwardTo(text: string): string {
  const whole = /^\d{1,5}$/.test(text) ? `http://localhost:${text}/` : text;
  const url = URL.parse(/^[\w.-]+:\d+(\/|$)/.test(whole) ? `http://${whole}` : whole);
  if (text.includes('@') && (!url?.host || url.username + url.password !== '')) {
    throw invalidUsage(
      '--forward-to has a user name or password, which the platform sends to no endpoint either: ' +
        'leave it out.',
    );
  }
  if (url?.port === '0') throw invalidUsage('--forward-to has the port 0, where nothing listens.');
  if (url && /^https?:$/.test(url.protocol)) return url.href;
  throw invalidUsage(
    `--forward-to ${JSON.stringify(text)} is no address: write one such as ` +
      'http://localhost:3000/hooks.',
  );
}
