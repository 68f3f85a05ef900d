import { brandedHeaders } from '@servery/contract';
import { type DemoFile, demoFilePath } from './demo-file.ts';

/**
 * What the terminal shows when a sandbox is ready: where its credentials are and two commands that
 * make a first call. The lines stay below 80 columns where their parts allow it.
 */
export function greeting(dataDir: string, demo: DemoFile): string {
  const { clientId, clientSecret, userAccessType } = demo.clients.partner;
  const restaurant = demo.restaurants.find(({ archived }) => !archived);
  if (!restaurant) return `Credentials: ${demoFilePath(dataDir)}\n\n`;
  const login = JSON.stringify({ clientId, clientSecret, userAccessType });
  const header = brandedHeaders(demo.brand).restaurantExternalId;
  return `
Credentials, restaurants, card keys and test cards:
  ${demoFilePath(dataDir)}
${demo.tlsUrl ? `\nBy https: ${demo.tlsUrl}\n` : ''}
A first call (${restaurant.name}):

TOKEN=$(curl -s ${demo.authUrl}/authentication/v1/authentication/login \\
  -H 'Content-Type: application/json' \\
  -d '${login}' \\
  | sed 's/.*"accessToken":"\\([^"]*\\)".*/\\1/')

curl -s ${demo.baseUrl}/config/v2/menus \\
  -H "Authorization: Bearer $TOKEN" \\
  -H '${header}: ${restaurant.guid}'

`;
}
