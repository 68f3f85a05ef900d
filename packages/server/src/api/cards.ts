export { publicAddressRule } from '../payments/authorize/request-rules.ts';
export { algorithmOfKeyId } from '../payments/cards/card-key-algorithm.ts';
export { encryptCardData } from '../payments/cards/encrypt-card-data.ts';
