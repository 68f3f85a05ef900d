/**
 * What payments are counted by, narrow before wide. Whoever is refused by a narrow limit does not
 * use up a wide one: an address that tries out cards cannot close a restaurant for its guests.
 */
export const velocityDimensions = [
  'card',
  'guest',
  'address',
  'bin',
  'restaurant',
  'client',
] as const;

/** One of the things that payments are counted by. */
export type VelocityDimension = (typeof velocityDimensions)[number];
