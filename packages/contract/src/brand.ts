/** The header names that carry the brand, as they stand on the wire (decisions 0, C3, C7). */
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

/** Takes the brand and gives the `userAccessType` of a login, such as `PLATFORM_MACHINE_CLIENT`. */
export function machineClientAccessType(brand: string): string {
  return `${brand.toUpperCase()}_MACHINE_CLIENT`;
}
