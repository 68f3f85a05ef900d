export interface EventMessage {
  /** The cursor behind it; null when the stream has told none yet. */
  readonly id: string | null;
  /** `message` where it has no name. */
  readonly type: string;
  /** Empty for one that only moves the cursor. */
  readonly data: string;
}

/** The messages of a stream, line by line as it came (WHATWG, server-sent events). */
export async function* eventMessages(lines: AsyncIterable<string>): AsyncIterable<EventMessage> {
  let id: string | null = null;
  let type = '';
  let data: string[] = [];
  let isMoved = false;
  for await (const line of lines) {
    if (line === '') {
      if (data.length > 0 || isMoved) yield { id, type: type || 'message', data: data.join('\n') };
      type = '';
      data = [];
      isMoved = false;
      continue;
    }
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (name === 'id') {
      id = value;
      isMoved = true;
    }
    if (name === 'event') type = value;
    if (name === 'data') data.push(value);
  }
}
