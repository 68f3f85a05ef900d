import { brandedHeaders } from '@servery/contract';
import { type DemoFile, demoFilePath } from './demo-file.ts';

/** Lines stay below 80 columns where possible. */
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

/** For the profile `none`, or a database that somebody else filled. */
export function greetingWithoutDemo(
  { dataDir, profile }: { readonly dataDir: string; readonly profile: string },
  url: string,
): string {
  const why =
    profile === 'none'
      ? 'This sandbox uses the profile none, so it has no group, account or'
      : 'The database has groups of its own, so this sandbox made no account and no';
  return `
${why}
${demoFilePath(dataDir)}. Make the first account, with the
settings of this server; its secret is shown once:

servery clients create --local --data-dir ${inShell(dataDir)} \\
  --type back-office --name Operator --scopes all

With it you can get a token, and make all others:

export SERVERY_URL=${url} SERVERY_CLIENT_ID=… SERVERY_CLIENT_SECRET=…
servery token

`;
}

function inShell(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
