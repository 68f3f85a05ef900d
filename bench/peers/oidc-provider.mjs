import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

// A token service of oidc-provider with one client and its adapter in memory, which signs tokens as
// JWT with RS256, as the product does.
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const resource = {
  scope: 'config:read',
  audience: 'platform',
  accessTokenTTL: 86_400,
  accessTokenFormat: 'jwt',
  jwt: { sign: { alg: 'RS256' } },
};
const provider = new Provider('http://127.0.0.1', {
  clients: [
    {
      client_id: 'bench',
      client_secret: 'secret',
      grant_types: ['client_credentials'],
      response_types: [],
      redirect_uris: [],
      token_endpoint_auth_method: 'client_secret_post',
    },
  ],
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }] },
  features: {
    clientCredentials: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => 'urn:bench',
      getResourceServerInfo: () => resource,
    },
  },
});
const server = createServer(provider.callback());
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`oidc-provider ready http://127.0.0.1:${server.address().port}\n`);
});
process.on('SIGTERM', () => process.exit(0));
