import { dollars, type LedgerEntry, ledgerFields } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { record } from '../../output/result.ts'
import { command, requiredText } from '../../program/command.ts'
import { usdAmount } from '../../program/number-option.ts'
import { keyPath } from './key-path.ts'

export default command({
  arguments: { id: { kind: 'one', description: 'The id of the key to take from' } },
  options: {
    to: requiredText('id', 'The id of the key to give to'),
    amount: requiredText('usd', 'How much, in USD'),
  },
  fields: ledgerFields,
  examples: [{ does: 'Move 5 USD', line: 'turnpike keys transfer key_01k9... --to key_01ka... --amount 5' }],
  async run(context, { id, to, amount }) {
    const entry = await askAsUser<LedgerEntry>(context, {
      method: 'POST',
      path: keyPath(id, '/transfer'),
      body: { to_key_id: to, amount_usd: usdAmount(amount, '--amount') },
    })
    context.output.done(`Moved ${dollars(entry.amount_usd)} from ${id} to ${to}`)
    return record(entry, () => '')
  },
})
