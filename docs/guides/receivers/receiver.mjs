// receiver.mjs: WEBHOOK_SECRETS=whsec_… PORT=4300 node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { WEBHOOK_SECRETS, PORT } = process.env;
if (!WEBHOOK_SECRETS || !PORT) throw new Error('Set WEBHOOK_SECRETS and PORT.');
const keys = WEBHOOK_SECRETS.split(' ').map((secret) => {
  return Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
});
const seen = new Set(); // A real receiver keeps this in its database.

function isSigned(headers, body) {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  const signatures = (headers['webhook-signature'] ?? '').split(' ');
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300)) return false;
  return keys.some((key) => {
    const digest = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
    return signatures.some((signature) => {
      const [version, text = ''] = signature.split(',');
      const given = Buffer.from(text, 'base64');
      return version === 'v1' && given.length === 32 && timingSafeEqual(given, digest);
    });
  });
}

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (!isSigned(request.headers, body)) return response.writeHead(400).end();
  response.writeHead(204).end();
  const event = JSON.parse(body);
  if (seen.has(event.guid)) return;
  seen.add(event.guid);
  console.log(`${event.eventType} ${event.guid} ${JSON.stringify(event.details)}`);
});
server.listen(Number(PORT), '127.0.0.1', () => console.log('ready'));
