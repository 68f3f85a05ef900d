export { publicAddressRule } from '../payments/authorize/request-rules.ts';
export { algorithmOfKeyId } from '../payments/cards/card-key-algorithm.ts';
export {
  ADDRESS_IN_SANDBOX,
  authorizationWithTestCard,
  namedTestCards,
} from '../payments/cards/test-authorization.ts';
