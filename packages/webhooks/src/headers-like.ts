/** The headers of a request as receivers hold them: of `fetch`, of `node:http`, or an object. */
export type HeadersLike =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined };

/** The value of a header, whatever the case of its name; null when it is not there or empty. */
export function headerOf(headers: HeadersLike, name: string): string | null {
  if (typeof headers.get === 'function') return (headers.get(name) as string | null) || null;
  const wanted = name.toLowerCase();
  const found = Object.entries(headers).filter(([key]) => key.toLowerCase() === wanted);
  const values = found.flatMap(([, value]) => value ?? []);
  return values.join(' ').trim() || null;
}
