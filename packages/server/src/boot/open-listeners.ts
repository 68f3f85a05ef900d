import { join } from 'node:path';
import type { Clock } from '@servery/support/clock.ts';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import type { Connections } from '../http/edge/connections.ts';
import { listen, listenTls } from '../http/edge/listen.ts';
import { developmentCertificate, readCertificate } from '../http/edge/tls.ts';

export interface ListenersDeps {
  readonly config: Config;
  readonly realClock: Clock;
  readonly address: { url: string };
}

export async function openListener(
  { config, address }: ListenersDeps,
  app: FastifyInstance,
): Promise<string> {
  const url = await listen(app, config);
  address.url = config.publicUrl ?? url;
  return url;
}

export async function openTlsListener(
  { config, realClock }: ListenersDeps,
  app: FastifyInstance,
  connections: Connections,
  undo: (() => Promise<void>)[],
): Promise<string | null> {
  const { tls } = config;
  if (!tls) return null;
  const certificate =
    'selfSigned' in tls
      ? await developmentCertificate(join(config.dataDir, 'tls'), realClock)
      : await readCertificate(tls.certFile, tls.keyFile);
  const listener = await listenTls(app, tls, certificate, connections);
  undo.push(listener.close);
  return listener.url;
}
