/**
 * Tables whose rows no backup holds, each with the reason. What they hold is true for seconds, or
 * must not come back to life; docs/guides/back-up-and-restore.md tells the same.
 */
export const leftOut: Readonly<Record<string, string>> = {
  rate_count: 'Budgets of the last quarter of an hour.',
  velocity_count: 'Counts against the testing of cards, of hours at most.',
  log_in_attempt: 'Counts of failed log-ins, which end within a day.',
  change_mark: 'Counters of changes, from 0 again in another database.',
  server_process: 'The processes that are alive now.',
  request_log: 'The last requests, redacted: kept for days, large, and never needed to go on.',
  person_session: 'A session that was ended since would be alive again: people log in anew.',
  person_invitation: 'A link that was used or replaced since would open again: make a new one.',
};
