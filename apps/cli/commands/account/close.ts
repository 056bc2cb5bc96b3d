import { type AccountClosing, type ClosedAccount, closedAccountFields, dollars } from '@turnpike/api'
import { askAsPerson } from '../../api/user-api.ts'
import type { Context } from '../../context.ts'
import { badInput, cancellation } from '../../failure.ts'
import { removeCredentials } from '../../files/credentials.ts'
import { removeLastKey } from '../../files/last-key.ts'
import { record } from '../../output/result.ts'
import { command, text } from '../../program/command.ts'
import { withCredentialsLock } from '../../sign-in/session.ts'
import { askToConfirm } from '../../terminal/confirm.ts'

export default command({
  details: [
    'Permanent: keys stop working, all sessions end, and name, email and prompts are erased. ' +
      'Remaining credit is not refunded automatically. On a terminal it explains this and asks for ' +
      'confirmation.',
  ],
  options: { confirm: text('email', "The account's email or id, to skip the confirmation") },
  fields: closedAccountFields,
  examples: [
    { does: 'See the consequences, then decide', line: 'turnpike account close' },
    { does: 'From a script', line: 'turnpike account close --confirm ada@example.com' },
  ],
  async run(context, { confirm }) {
    const { directory, apiUrl, output } = context
    const typed = confirm ?? (await confirmOnTerminal(context))
    const body = { confirm: typed }
    const closed = await askAsPerson<ClosedAccount>(context, {
      method: 'POST',
      path: '/api/v1/me/close',
      body,
    })
    output.done(`Closed account ${closed.account_id}`)
    // The local files are of no more use.
    await withCredentialsLock(context, () => removeCredentials(directory, apiUrl))
    await removeLastKey(directory)
    return record(closed, () => '')
  },
})

async function confirmOnTerminal(context: Context): Promise<string> {
  const { input, output } = context
  if (output.isJson || !input.isTTY || !output.messages.isTerminal)
    throw badInput('--confirm: expected the email or id of the account.', '--confirm')
  const closing = await askAsPerson<AccountClosing>(context, { path: '/api/v1/me/closing' })
  output.say(`Erased: ${closing.erased.join('; ')}.`)
  output.say(`Kept: ${closing.kept.join('; ')}.`)
  const { active_keys: keys, credit_usd: credit, confirm } = closing
  const left = `${dollars(credit)} of credit, ${keys} active keys`
  if (!(await askToConfirm(context, `Close the account of ${confirm} (${left})? This cannot be undone.`)))
    throw cancellation()
  return confirm
}
