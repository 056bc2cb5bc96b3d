import { setTimeout as sleep } from 'node:timers/promises'
import { dollars, topupFields, type Topup } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import type { Context } from '../../context.ts'
import { exitCodes, Failure } from '../../failure.ts'
import { record } from '../../output/result.ts'
import { command, flag, requiredText, text } from '../../program/command.ts'
import { usdAmount } from '../../program/number-option.ts'
import { isWebAddress } from '../../sign-in/discovery.ts'
import { openBrowser } from '../../terminal/browser.ts'
import { when } from '../../terminal/time.ts'

const pollMs = 2_000

export default command({
  details: [
    'Creates a checkout, prints its URL and opens it in the browser. With --json or --no-open ' +
      'nothing is opened: programs and agents pass the URL to a person, and never pay.',
  ],
  options: {
    amount: requiredText('usd', 'How much to add, in USD'),
    key: text('id', 'The key to credit (default: the account’s, which new keys use)'),
    save: flag('Save the payment method for automatic top-ups'),
    wait: flag('Wait until it is paid'),
    noOpen: flag('Do not open a browser'),
  },
  fields: topupFields,
  examples: [
    { does: 'Add 25 USD', line: 'turnpike topup --amount 25' },
    { does: 'Wait until it is paid', line: 'turnpike topup --amount 25 --wait' },
    { does: 'Only the URL, to pass to a person', line: 'turnpike topup --amount 25 --no-open' },
  ],
  async run(context, { amount, key, save, wait, noOpen }) {
    const { output, environment } = context
    const session = await askAsUser<Topup>(context, {
      method: 'POST',
      path: '/api/v1/topup',
      body: {
        amount_usd: usdAmount(amount, '--amount'),
        ...(key !== undefined && { key_id: key }),
        ...(save && { save_payment_method: true }),
      },
    })
    const { checkout_url: url } = session
    if (url === null) throw unpaid(`The checkout ended as ${session.status}.`)
    const until = when(session.expires_at, output.messages)
    output.say(`Checkout for ${dollars(session.amount_usd)}, open until ${until}:`)
    if (!wait && output.isJson) return record(session, () => '')
    // The user needs the address, in order to pay.
    if (output.isJson) output.insist(`To pay, open ${url}`)
    else output.write(`${url}\n`)
    const mayOpen = !noOpen && !output.isJson && isWebAddress(url)
    if (mayOpen && (await openBrowser(url, environment))) {
      output.say('Your browser has been opened.')
    }
    return record(wait ? await waitForPayment(context, session) : session, () => '')
  },
})

/** @throws {Failure} exit code 3 if the session ends without a payment */
async function waitForPayment(context: Context, session: Topup): Promise<Topup> {
  const { output, signal } = context
  const progress = output.progress('Waiting for the payment')
  try {
    for (;;) {
      const path = `/api/v1/topup/${encodeURIComponent(session.session_id)}`
      const state = await askAsUser<Topup>(context, { path })
      if (state.status === 'paid') {
        progress.stop()
        output.done(`${dollars(state.amount_usd)} paid`)
        return state
      }
      if (state.status !== 'open') throw unpaid(`The checkout ended as ${state.status}.`)
      if (context.clock() / 1000 > session.expires_at)
        throw unpaid('The checkout expired before it was paid.')
      await sleep(pollMs, undefined, { signal })
    }
  } finally {
    progress.stop()
  }
}

function unpaid(message: string): Failure {
  return new Failure(message, { type: 'timeout', exitCode: exitCodes.server })
}
