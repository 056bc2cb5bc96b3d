import { PageClient } from '../../server/identity/testing/page-client.ts'
import { confirmDevice, newEmail, signUp } from '../../server/identity/testing/sign-in.ts'
import type { CliHome, Ended, Options } from './cli-home.ts'

/** Logs a new user in as they would themselves: `turnpike login`, then the pages of the embedded provider. */
export async function logIn(
  home: CliHome,
  origin: string,
  words: string[] = [],
  options: Options = {},
): Promise<Ended & { email: string }> {
  const login = home.start(['login', ...words], options)
  const [, userCode] = await login.seen(/(?:Code {2}|\(code )([A-Z]{4}-[A-Z]{4})/)
  const email = newEmail()
  const client = new PageClient()
  await signUp(client, await confirmDevice(client, origin, userCode!), { email, name: 'Ada Lovelace' })
  return { ...(await login.ended), email }
}

/** Pays a checkout of the sandbox, as a person in a browser would. */
export async function decideCheckout(
  checkoutUrl: string,
  decision: 'pay' | 'decline' | 'expire',
): Promise<void> {
  const client = new PageClient()
  const page = await client.get(checkoutUrl)
  await client.submit(page, new URL(checkoutUrl).pathname, { decision })
}
