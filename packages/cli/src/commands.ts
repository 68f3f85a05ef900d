import type { AnyCommand, Family } from './command.ts';
import { alarms } from './commands/alarms.ts';
import { audit } from './commands/audit.ts';
import { cards } from './commands/cards.ts';
import { certifyCommand } from './commands/certify.ts';
import { clients } from './commands/clients.ts';
import { clock } from './commands/clock.ts';
import { config } from './commands/config.ts';
import { conformCommand } from './commands/conform.ts';
import { connections } from './commands/connections.ts';
import { encrypt } from './commands/encrypt.ts';
import { env } from './commands/env.ts';
import { explainCommand } from './commands/explain.ts';
import { faults } from './commands/faults.ts';
import { groups } from './commands/groups.ts';
import { healthCommand } from './commands/health.ts';
import { keys } from './commands/keys.ts';
import { listen } from './commands/listen.ts';
import { localCommands } from './commands/local.ts';
import { mcp } from './commands/mcp.ts';
import { orders } from './commands/orders.ts';
import { partners } from './commands/partners.ts';
import { payments } from './commands/payments.ts';
import { people } from './commands/people.ts';
import { requests } from './commands/requests.ts';
import { restaurants } from './commands/restaurants.ts';
import { sandbox } from './commands/sandbox.ts';
import { sessionCommands } from './commands/session.ts';
import { stock } from './commands/stock.ts';
import { trigger } from './commands/trigger.ts';
import { webhooks } from './commands/webhooks.ts';
import { identityCommands } from './commands/whoami.ts';

export const commands: readonly (AnyCommand | Family)[] = [
  ...localCommands,
  groups,
  restaurants,
  config,
  stock,
  partners,
  clients,
  connections,
  webhooks,
  people,
  requests,
  explainCommand,
  audit,
  clock,
  sandbox,
  faults,
  cards,
  encrypt,
  keys,
  orders,
  payments,
  alarms,
  healthCommand,
  listen,
  mcp,
  trigger,
  conformCommand,
  certifyCommand,
  ...identityCommands,
  ...sessionCommands,
  env,
];
