export interface BrandedHeaders {
  readonly restaurantExternalId: string;
  readonly nextPageToken: string;
  readonly requestId: string;
  readonly rateLimitBy: string;
  readonly rateLimitRemaining: string;
  readonly rateLimitReset: string;
  readonly explain: string;
  /** Injects a fault into one request, and tells which fault touched an answer. Sandboxes only. */
  readonly sandboxFault: string;
}

export const defaultBrand = 'Platform';

export function brandedHeaders(brand: string): BrandedHeaders {
  return {
    restaurantExternalId: `${brand}-Restaurant-External-ID`,
    nextPageToken: `${brand}-Next-Page-Token`,
    requestId: `${brand}-Request-ID`,
    rateLimitBy: `X-${brand}-RateLimit-By`,
    rateLimitRemaining: `X-${brand}-RateLimit-Remaining`,
    rateLimitReset: `X-${brand}-RateLimit-Reset`,
    explain: `${brand}-Explain`,
    sandboxFault: `${brand}-Sandbox-Fault`,
  };
}

/** As stored in documents of a group, which fit platforms of every brand (CFG-4). */
export const platformDestination = 'PLATFORM';

export const unbrandedDestinations = ['RESTAURANT', 'SERVER', 'THIRD_PARTY'] as const;

export function brandedDestination(destination: unknown, brand: string): unknown {
  return destination === platformDestination ? brand.toUpperCase() : destination;
}

/** As stored; documents of the menus interface show the brand (MENU-18). */
export const onlineOrderingChannel = 'PLATFORM_ONLINE_ORDERING';

export function brandedChannel(channel: string, brand: string): string {
  return channel === onlineOrderingChannel ? `${brand.toUpperCase()}_ONLINE_ORDERING` : channel;
}

export function machineClientAccessType(brand: string): string {
  return `${brand.toUpperCase()}_MACHINE_CLIENT`;
}
