import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// The ceiling of a read: node:http that answers ready-made bytes with ready-made headers and does
// nothing else. The file named on the command line holds one answer that the product gave.
const [file = ''] = process.argv.slice(2);
const { status, headers, body } = JSON.parse(readFileSync(file, 'utf8'));
const bytes = Buffer.from(body, 'base64');
const server = createServer((_request, response) => {
  response.writeHead(status, headers);
  response.end(bytes);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`ceiling ready http://127.0.0.1:${port}\n`);
});
process.on('SIGTERM', () => process.exit(0));
