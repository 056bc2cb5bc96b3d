import { type Balance, balanceFields, dollars } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import { record } from '../../output/result.ts'
import { command } from '../../program/command.ts'

export default command({
  fields: balanceFields,
  examples: [
    { does: 'Show the balance', line: 'turnpike balance' },
    { does: 'Only the exact number, for a script', line: 'turnpike balance --fields balance_usd' },
  ],
  async run(context) {
    const found = await askAsUser<Balance>(context, { path: '/api/v1/balance' })
    const waiting = found.unassigned_usd ?? '0'
    if (Number(waiting) > 0)
      context.output.say(`${dollars(waiting)} more is waiting for the next key you create.`)
    return record(found, () => `${dollars(found.balance_usd)}\n`)
  },
})
