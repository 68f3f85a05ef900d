import { invalidUsage } from '../exit-codes.ts';

/**
 * The address of `--forward-to`, which may be only a port of this machine, or a host with its port.
 * Throws CommandFailure, which never shows a password.
 */
export function readForwardTo(text: string): string {
  const whole = /^\d{1,5}$/.test(text) ? `http://localhost:${text}/` : text;
  const url = URL.parse(/^[\w.-]+:\d+(\/|$)/.test(whole) ? `http://${whole}` : whole);
  if (text.includes('@') && (!url?.host || url.username + url.password !== '')) {
    throw invalidUsage(
      '--forward-to has a user name or password. The platform sends neither to endpoints: leave it ' +
        'out.',
    );
  }
  if (url?.port === '0')
    throw invalidUsage('--forward-to has the port 0, where nothing can listen.');
  if (url && /^https?:$/.test(url.protocol)) return url.href;
  throw invalidUsage(
    `--forward-to ${JSON.stringify(text)} is not an address. Use, for example, ` +
      'http://localhost:3000/hooks.',
  );
}
