import type { HandlersOf } from '../../http/operation.ts';
import type { SigningKeys } from '../signing-keys.ts';
import { type IntrospectDeps, introspectHandler } from './introspect.ts';
import { jwksHandler } from './jwks.ts';
import { type LoginDeps, loginHandler } from './login.ts';
import { metadataHandler } from './metadata.ts';
import { type RevokeDeps, revokeHandler } from './revoke.ts';
import { type TokenDeps, tokenHandler } from './token.ts';

export type TokenServiceDeps = LoginDeps &
  TokenDeps &
  IntrospectDeps &
  RevokeDeps & { readonly signingKeys: SigningKeys };

export const tokenServiceHandlers = (deps: TokenServiceDeps): HandlersOf<'auth.'> => ({
  'auth.login': loginHandler(deps),
  'auth.token': tokenHandler(deps),
  'auth.introspect': introspectHandler(deps),
  'auth.revoke': revokeHandler(deps),
  'auth.metadata': metadataHandler(deps),
  'auth.jwks': jwksHandler(deps),
});
