import type { Schemas } from '../../api/client.ts'

type Entry = Schemas['LedgerEntry']

/** The kinds of movements (docs/contract.md, 4.8). */
export const kindNames: Record<Entry['kind'], string> = {
  topup: 'Top-up',
  grant: 'Grant',
  usage: 'Usage',
  transfer: 'Moved between keys',
  sweep: 'From a revoked key',
  refund: 'Refund',
  adjustment: 'Adjustment',
}

export const kinds = Object.keys(kindNames) as Entry['kind'][]

/** Ledger accounts are `key:<id>`, `unassigned:<account>`, or the operator's own. */
export function movementOf(entry: Entry, keyNames: ReadonlyMap<string, string>): string {
  const from = placeOf(entry.debit_account, keyNames)
  const to = placeOf(entry.credit_account, keyNames)
  if (from !== undefined && to !== undefined) return `${from} → ${to}`
  if (to !== undefined) return `to ${to}`
  return from === undefined ? '' : `from ${from}`
}

function placeOf(ledgerAccount: string, keyNames: ReadonlyMap<string, string>): string | undefined {
  const key = /^key:(.+)$/.exec(ledgerAccount)?.[1]
  if (key !== undefined) return keyNames.get(key) ?? key
  return ledgerAccount.startsWith('unassigned:') ? 'unassigned credit' : undefined
}
