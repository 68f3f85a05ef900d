/** The header names that carry the brand, as they stand on the wire (decisions 0, API-3, API-7). */
export interface BrandedHeaders {
  readonly restaurantExternalId: string;
  readonly nextPageToken: string;
  readonly requestId: string;
  readonly rateLimitBy: string;
  readonly rateLimitRemaining: string;
  readonly rateLimitReset: string;
}

/** The brand where no other is set. */
export const defaultBrand = 'Platform';

/** Takes the brand, such as `Platform`, and gives the header names that carry it. */
export function brandedHeaders(brand: string): BrandedHeaders {
  return {
    restaurantExternalId: `${brand}-Restaurant-External-ID`,
    nextPageToken: `${brand}-Next-Page-Token`,
    requestId: `${brand}-Request-ID`,
    rateLimitBy: `X-${brand}-RateLimit-By`,
    rateLimitRemaining: `X-${brand}-RateLimit-Remaining`,
    rateLimitReset: `X-${brand}-RateLimit-Reset`,
  };
}

/**
 * The destination of a service charge that goes to the platform, as it is stored and stands in
 * documents of a group: these fit platforms of every brand (CFG-4).
 */
export const platformDestination = 'PLATFORM';

/** The destinations of a service charge that have the same name for every brand. */
export const unbrandedDestinations = ['RESTAURANT', 'SERVER', 'THIRD_PARTY'] as const;

/** Takes a stored destination of a service charge, and gives it as partners read it. */
export function brandedDestination(destination: unknown, brand: string): unknown {
  return destination === platformDestination ? brand.toUpperCase() : destination;
}

/** Takes the brand and gives the `userAccessType` of a login, such as `PLATFORM_MACHINE_CLIENT`. */
export function machineClientAccessType(brand: string): string {
  return `${brand.toUpperCase()}_MACHINE_CLIENT`;
}
