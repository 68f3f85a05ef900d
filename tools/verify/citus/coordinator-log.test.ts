import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countStatements, listStatements } from './coordinator-log.ts';

const log = `<7 servery> LOG:  statement: begin
<7 servery> LOG:  execute p1: insert into payment (a)
	values ($1)
<7 servery> DETAIL:  Parameters: $1 = '1'
<7 servery> NOTICE:  issuing BEGIN TRANSACTION;SELECT assign_distributed_transaction_id(0)
<7 servery> DETAIL:  on server servery@127.0.0.1:5433 connectionId: 1
<8 servery> LOG:  execute p2: select due_at from payment
<8 servery> NOTICE:  issuing SELECT due_at FROM payment_102010
<8 servery> DETAIL:  on server servery@127.0.0.1:5433 connectionId: 2
<8 servery> NOTICE:  issuing SELECT due_at FROM payment_102011
<8 servery> DETAIL:  on server servery@127.0.0.1:5434 connectionId: 3
<7 servery> NOTICE:  issuing INSERT INTO payment_102010 (a) VALUES ($1)
<7 servery> LOG:  execute p3: insert into audit_entry (a) values ($1)
<7 servery> LOG:  statement: commit
<7 servery> NOTICE:  issuing PREPARE TRANSACTION 'citus_0_7_1_1'
<9 citus_internal gpid=1> LOG:  statement: select 1
`;

test('the log of a coordinator says which statements ask how many shards', () => {
  const [, insert, due] = listStatements(log);
  assert.equal(insert, 'insert into payment (a)\n\tvalues ($1)');
  assert.deepEqual(countStatements(log, new Set()), {
    ...{ statements: 3, atWorkers: 2, shards: 3, prepared: 1 },
    wide: new Map([[due, 1]]),
  });
  assert.deepEqual(countStatements(log, new Set([due ?? ''])), {
    ...{ statements: 2, atWorkers: 1, shards: 1, prepared: 1 },
    wide: new Map(),
  });
});
