import { command } from '../command.ts';
import { reportOptions } from '../judged/report.ts';
import { as, required, text } from '../values.ts';

export const certifyCommand = command({
  name: 'certify',
  summary: 'Check that an integration copes with what happens in production',
  examples: [
    'servery certify --command "node integration.mjs"',
    'servery certify --command "npm run integration" --only lost-answer,declined --junit report.xml',
  ],
  options: {
    command: required(as(null, text('<command>', 'starts your integration for one task'))),
    only: as(null, text('<names>', 'only these scenarios, separated by commas')),
    ...reportOptions,
  },
  run: async (call) => (await import('../certify/certify.ts')).certify(call, call.options),
});
