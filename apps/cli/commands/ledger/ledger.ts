import { dollars, type LedgerEntry, ledgerFields, ledgerKinds, type List } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { rows } from '../../output/result.ts'
import { command, list, text } from '../../program/command.ts'
import { pageOptions, pageQuery } from '../../program/page-options.ts'
import type { Column } from '../../terminal/table.ts'
import { when } from '../../terminal/time.ts'

const columns: Column<LedgerEntry>[] = [
  {
    field: 'created_at',
    title: 'WHEN',
    text: ({ created_at: created }, screen) => when(created, screen),
    narrow: 'keep',
  },
  {
    field: 'kind',
    title: 'KIND',
    text: ({ kind }) => kind,
    paint: (text, _, { bold }) => bold(text),
    narrow: 'keep',
  },
  {
    field: 'change_usd',
    title: 'CHANGE',
    align: 'right',
    text: ({ change_usd: change }) => withSign(change),
    paint: (text, { change_usd: change }, style) =>
      change === '0' ? style.dim(text) : change.startsWith('-') ? text : style.green(text),
    narrow: 'keep',
  },
  { field: 'debit_account', title: 'FROM', text: ({ debit_account: from }) => from, narrow: 'drop' },
  { field: 'credit_account', title: 'TO', text: ({ credit_account: to }) => to, narrow: 'drop' },
  {
    field: 'reference',
    title: 'REFERENCE',
    text: ({ request_id: id, reason, reference }) => reason ?? id ?? reference,
  },
]

function withSign(change: string): string {
  return change === '0' || change.startsWith('-') ? dollars(change) : `+${dollars(change)}`
}

export default command({
  details: [
    'Newest first. CHANGE is the effect on your credit: a transfer between two of your keys is $0.00.',
  ],
  options: {
    kind: list('kind', 'Only this kind; repeat for several', [...ledgerKinds]),
    key: text('id', 'Only movements from or to this key'),
    from: text('day', 'First day (UTC), such as 2026-03-10'),
    to: text('day', 'Last day (UTC)'),
    ...pageOptions,
  },
  fields: ledgerFields,
  examples: [
    { does: 'The last movements', line: 'turnpike ledger' },
    {
      does: 'Top-ups and refunds in March',
      line: 'turnpike ledger --kind topup --kind refund --from 2026-03-01 --to 2026-03-31',
    },
    { does: 'The last two hundred, for a program', line: 'turnpike ledger --limit 200 --json' },
  ],
  async run(context, input) {
    const entries = await askAsUser<List<LedgerEntry>>(context, {
      path: '/api/v1/ledger',
      query: { kind: input.kind, key_id: input.key, from: input.from, to: input.to, ...pageQuery(input) },
    })
    return rows(entries, columns, 'No transactions yet.')
  },
})
