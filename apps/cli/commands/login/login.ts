import { setTimeout as sleep } from 'node:timers/promises'
import { accountFields, type Account } from '@turnpike/api'
import type { Context } from '../../context.ts'
import { readCredentials, writeCredentials, type Credentials } from '../../files/credentials.ts'
import { readLastKey } from '../../files/last-key.ts'
import { jsonOf } from '../../network/answer.ts'
import { sendRepeatedly } from '../../network/retry.ts'
import { record } from '../../output/result.ts'
import { command, flag } from '../../program/command.ts'
import { authorizeDevice, waitForTokens, type DeviceAuthorization } from '../../sign-in/device-flow.ts'
import { discover, type Discovery } from '../../sign-in/discovery.ts'
import type { Tokens } from '../../sign-in/oauth.ts'
import { withCredentialsLock } from '../../sign-in/session.ts'
import { openBrowser } from '../../terminal/browser.ts'
import { oneLine } from '../../terminal/text-width.ts'
import { nameOf } from '../whoami/account-facts.ts'

export default command({
  details: [
    'Prints a URL and a code, opens a browser if there is one, and waits until you have signed in. ' +
      'You can open the URL on any device. If you forgot your password and the gateway sends mail, ' +
      'you can reset it there.',
    'With --json, stdout has two lines: `verification_uri_complete` and `user_code` at once, and ' +
      'the account after the login.',
  ],
  options: { noOpen: flag('Do not open a browser') },
  fields: accountFields,
  examples: [
    { does: 'Log in', line: 'turnpike login' },
    { does: 'Log in on a machine without a browser', line: 'turnpike login --no-open' },
    { does: 'Let a program pass the URL to its user', line: 'turnpike login --json' },
  ],
  async run(context, { noOpen }) {
    const { output, directory, apiUrl } = context
    // Detects an unreadable or unwritable file before the user signs in for nothing.
    await withCredentialsLock(context, () => readCredentials(directory, apiUrl))
    const discovery = await discover(context)
    const device = await authorizeDevice(context.network, discovery)
    await show(context, device, noOpen)
    const progress = output.progress('Waiting for you to sign in')
    try {
      const tokens = await waitForTokens(context.network, discovery, device, {
        sleep: (milliseconds) => sleep(milliseconds, undefined, { signal: context.signal }),
        clock: context.clock,
      })
      const account = await accountBehind(context, tokens)
      await withCredentialsLock(context, () =>
        writeCredentials(directory, apiUrl, credentialsOf(discovery, tokens, account)),
      )
      progress.stop()
      output.done(`Logged in to ${apiUrl} as ${output.messages.style.bold(nameOf(account))}`)
      if ((await readLastKey(directory)) === undefined) {
        output.say(output.messages.style.dim('Next, create an API key: turnpike keys create --name laptop'))
      }
      return record(account, () => '')
    } finally {
      progress.stop()
    }
  },
})

async function show(context: Context, device: DeviceAuthorization, noOpen: boolean): Promise<void> {
  const { output, environment } = context
  const { bold, cyan } = output.messages.style
  const code = oneLine(device.userCode)
  if (output.isJson) {
    const { verificationUri, verificationUriComplete, userCode, expiresInSeconds } = device
    output.line({
      verification_uri_complete: verificationUriComplete,
      user_code: userCode,
      verification_uri: verificationUri,
      expires_in: expiresInSeconds,
    })
    // Shown in any case, so that a user who watches a program with JSON output can sign in as well.
    output.insist(`To sign in, open ${device.verificationUriComplete} (code ${code})`)
    return
  }
  output.say('To sign in, open this address and check that it shows this code:\n')
  output.say(`  Open  ${cyan(device.verificationUriComplete)}`)
  output.say(`  Code  ${bold(code)}`)
  output.say('')
  if (!noOpen && (await openBrowser(device.verificationUriComplete, environment))) {
    output.say('Your browser has been opened.')
  }
}

/** The account that has signed in. The gateway decides whether the token is valid. */
async function accountBehind({ network, apiUrl }: Context, { accessToken }: Tokens): Promise<Account> {
  const url = `${apiUrl}/api/v1/me`
  const headers = { accept: 'application/json', authorization: `Bearer ${accessToken}` }
  return (await jsonOf(await sendRepeatedly(network, { method: 'GET', url, headers }), url)) as Account
}

function credentialsOf(
  { issuer, clientId, tokenEndpoint, resource }: Discovery,
  { accessToken, refreshToken, expiresAt }: Tokens,
  account: Account,
): Credentials {
  return {
    issuer,
    client_id: clientId,
    token_endpoint: tokenEndpoint,
    ...(resource !== undefined && { resource }),
    access_token: accessToken,
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    ...(expiresAt !== undefined && { expires_at: expiresAt }),
    account: { id: account.id, email: account.email },
  }
}
