import type { Scope } from '@servery/contract';
import type { Principal } from '../http/operation.ts';
import { ownerOf } from './order-deps.ts';

/** ORD-8: null if the account reads every order, else whose it reads. */
export function readableOwner(principal: Principal): string | null {
  return principal.scopes.has('orders.channel:read') ? ownerOf(principal) : null;
}

const channelScopes: readonly Scope[] = ['orders.channel:read', 'orders.channel:void'];

/** ORD-8: null if the account may change every order, else whose it may change. */
export function changeableOwner(principal: Principal): string | null {
  const isOfChannel = channelScopes.some((scope) => principal.scopes.has(scope));
  return isOfChannel ? ownerOf(principal) : null;
}
