const TLS_PORT = 443;
const PLAIN_PORT = 80;
const FIRST_USER_PORT = 1024;
const LAST_PORT = 65_535;

/** From 1024 on: other services, and admin interfaces that trust every caller. */
const otherServices: ReadonlySet<number> = new Set([
  // Databases and search.
  ...[1433, 1434, 1521, 3050, 3306, 5432, 5433, 5984, 6432, 7000, 7001, 7199, 7473, 7474, 7687],
  ...[8086, 8529, 9042, 9160, 9200, 9300, 26257, 27017, 27018, 27019, 28015, 28017, 50000],
  // Caches, queues and coordination.
  ...[2181, 2379, 2380, 4222, 4369, 5671, 5672, 6379, 6380, 9092, 9093, 11211, 15672, 16379],
  ...[25672, 26379, 61613, 61616],
  // Containers, orchestration and administration.
  ...[2375, 2376, 2377, 4243, 4646, 4647, 6443, 7946, 8200, 8300, 8301, 8500, 8600, 9090, 9100],
  ...[10_250, 10_255, 10_256, 10_257, 10_259, 8125, 9001, 4789],
  // Remote access and files.
  ...[1080, 2049, 3128, 3260, 3389, 5900, 5901, 5985, 5986, 6000, 6001, 6566, 8009, 9100, 10_000],
  // Other ports that browsers refuse.
  ...[1719, 1720, 1723, 3659, 4045, 4190, 5060, 5061, 6665, 6666, 6667, 6668, 6669, 6679, 6697],
  ...[10_080],
]);

/** The end of a sentence; null for the scheme's port and for any from 1024 on without a service. */
export function refusePort(port: number, isTls: boolean): string | null {
  if (port === (isTls ? TLS_PORT : PLAIN_PORT)) return null;
  if (port < FIRST_USER_PORT || port > LAST_PORT) return 'only 443 and ports from 1024 are allowed';
  return otherServices.has(port) ? 'other services than receivers listen there' : null;
}
