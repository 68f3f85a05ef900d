/** Well below the day that a new key is published before it signs. */
export const publicForAnHour = { 'cache-control': 'public, max-age=3600' } as const;
