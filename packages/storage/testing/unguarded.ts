import type { Engine } from '../database/engine.ts'

/** SQL that takes the guards of the tables away, as an operator who can change tables could. */
export function unguarded(engine: Engine): string {
  if (engine === 'postgres')
    return ['ledger_transfers', 'prices', 'leases', 'requests']
      .map((table) => `ALTER TABLE ${table} DISABLE TRIGGER USER;`)
      .join(' ')
  return [
    'ledger_transfers_no_update',
    'ledger_transfers_no_delete',
    'prices_no_update',
    'leases_end_empty',
    'requests_keep_their_charge',
    'requests_leave_their_entry',
  ]
    .map((trigger) => `DROP TRIGGER ${trigger};`)
    .join(' ')
}
