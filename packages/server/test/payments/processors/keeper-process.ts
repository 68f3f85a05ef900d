/** A process that keeps the simulator, to be killed by a test: `keeper-process.ts LEDGER`. */
import { machineTimer } from '@servery/support/timer.ts';
import { keepProcessor } from '../../../src/payments/processors/keeper.ts';

const [ledgerFile = ''] = process.argv.slice(2);
const keeper = await keepProcessor({ ledgerFile, timer: machineTimer, onProgress: () => {} });
process.send?.({ url: keeper.url() });
