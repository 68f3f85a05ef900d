import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import ipaddr from 'ipaddr.js';

const TYPE_A = 1;
const TYPE_AAAA = 28;
const NAME_ERROR = 3;
const HEADER_BYTES = 12;

/** What is asked of a name server. */
export interface Question {
  readonly name: string;
  readonly type: 'A' | 'AAAA';
}

/** A name server on loopback, which says what a test wants. */
export interface NameServer {
  /** `address:port`, as a resolver takes it. */
  readonly address: string;
  /** Everything that was asked, in its order. */
  readonly questions: readonly Question[];
  /** Says of every name for which it was silent that it is not there, and ends. */
  close(): Promise<void>;
}

/**
 * Starts a name server. `answer` gives the addresses for a question: none for a name without such
 * addresses, null for a name that is not there, and `silence` for no answer at all.
 */
export async function startNameServer(
  answer: (question: Question) => readonly string[] | null | 'silence',
): Promise<NameServer> {
  const socket = createSocket('udp4');
  const questions: Question[] = [];
  const unanswered: (() => Promise<void>)[] = [];
  socket.on('message', (query, from: RemoteInfo) => {
    const { question, end } = readQuestion(query);
    questions.push(question);
    const tell = (said: readonly string[] | null) =>
      new Promise<void>((resolve) => {
        const text = reply(query, end, question, said);
        socket.send(text, from.port, from.address, () => resolve());
      });
    const said = answer(question);
    if (said === 'silence') unanswered.push(() => tell(null));
    else void tell(said);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    async close() {
      // Else this process would wait for them until their time is over.
      await Promise.all(unanswered.map((tell) => tell()));
      socket.close();
      await once(socket, 'close');
    },
  };
}

function readQuestion(query: Buffer): { question: Question; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const type = query.readUInt16BE(at + 1) === TYPE_AAAA ? 'AAAA' : 'A';
  return { question: { name: labels.join('.').toLowerCase(), type }, end: at + 5 };
}

function reply(
  query: Buffer,
  end: number,
  { type }: Question,
  addresses: readonly string[] | null,
): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 | (addresses ? 0 : NAME_ERROR), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses?.length ?? 0, 6);
  const records = (addresses ?? []).map((address) => {
    const bytes = Buffer.from(ipaddr.parse(address).toByteArray());
    const record = Buffer.alloc(12);
    // The name of the question, then class IN and nothing that may be kept.
    record.writeUInt16BE(0xc00c, 0);
    record.writeUInt16BE(type === 'A' ? TYPE_A : TYPE_AAAA, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt16BE(bytes.length, 10);
    return Buffer.concat([record, bytes]);
  });
  return Buffer.concat([header, query.subarray(HEADER_BYTES, end), ...records]);
}
