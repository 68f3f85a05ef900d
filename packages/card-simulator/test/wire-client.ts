import type { Operation, Orders, ProcessorAnswer } from '../src/messages.ts';
import { callHeaders, PROTOCOL, readAnswer } from '../src/protocol.ts';

/** Makes one call to a simulator that listens at `url`. Throws what `fetch` throws. */
export async function call<Name extends Operation>(
  url: string,
  name: Name,
  order: Orders[Name],
): Promise<ProcessorAnswer> {
  const response = await fetch(`${url}/${name}`, {
    method: 'POST',
    headers: callHeaders(null),
    body: JSON.stringify({ protocol: PROTOCOL, ...order }),
  });
  return readAnswer(name, await response.json()).answer;
}
