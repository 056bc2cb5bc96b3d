import type { PageClient, SeenPage } from './page-client.ts'

export const password = 'correct horse battery'

/** An email that no other test uses. */
export function newEmail(): string {
  return `${Math.random().toString(36).slice(2)}@example.com`
}

/** Creates an account, starting at a sign-in page, and returns the page after that. */
export async function signUp(
  client: PageClient,
  signInPage: SeenPage,
  fields: Record<string, string>,
): Promise<SeenPage> {
  const page = await client.get(`${signInPage.url}/sign-up`)
  return client.submit(page, '/sign-up', { password, ...fields })
}

/** Confirms a device's code and returns the next page. */
export async function confirmDevice(client: PageClient, origin: string, userCode: string): Promise<SeenPage> {
  const entry = await client.get(`${origin}/oidc/device`)
  const confirmation = await client.submit(entry, '/oidc/device', { user_code: userCode })
  return client.submit(confirmation, '/oidc/device')
}
