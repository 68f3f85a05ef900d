import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { verifyWebhook } from '@servery/client/webhooks';

/** Accepts what the platform has signed with one of the secrets, and passes on each event once. */
export function createReceiver(secrets, onEvent) {
  const seen = new Set(); // A real receiver keeps this in its database.
  return createServer(async (request, response) => {
    const verdict = await verifyWebhook(request.headers, await buffer(request), secrets);
    response.writeHead(verdict.isValid ? 204 : 400).end();
    if (!verdict.isValid) return console.error(verdict.explanation);
    const { event } = verdict;
    if (seen.has(event.guid)) return;
    seen.add(event.guid);
    onEvent(event);
  });
}
