import { describe, expect, test } from 'vitest'
import { subjectOf } from '../notify/testing/plain-text.ts'
import { databases } from '../../../tests/nodes/databases.ts'
import { suiteDatabase, suiteNode, suiteServer } from '../../../tests/nodes/suite.ts'
import { startTestNode } from '../../../tests/nodes/test-node.ts'
import { ClaudeCode } from './testing/claude-code.ts'
import {
  authorizationUrl,
  beginDevice,
  callAs,
  loginByDevice,
  poll,
  refresh,
  signUpByDevice,
  type Answer,
  type Tokens,
} from './testing/device-login.ts'
import { Mailboxes } from './testing/mailbox.ts'
import { PageClient, type SeenPage } from './testing/page-client.ts'
import { confirmDevice, newEmail, password } from './testing/sign-in.ts'

const verifyMail = /^Verify your email address/
const changeMail = /^Confirm your new email address/
const passwordMail = /^Reset your password/
const claimMail = /^Set a password for this email address/
const newPassword = 'staple battery horse'

/** A user proves that an address is theirs by opening the link in a mail while signed in. */
describe.each(databases())('mailed codes on $engine', { timeout: 120_000 }, ({ create }) => {
  const ops = newEmail()
  const mail = new Mailboxes()
  suiteServer(mail.smtp)
  const database = suiteDatabase(create)
  const node = suiteNode(
    () => ({
      server: { port: 0, trusted_proxies: ['127.0.0.1'] },
      admin: { operators: [ops] },
      mail: { smtp: mail.smtp.settings, from: 'turnpike@gateway.test' },
    }),
    { database },
  )

  const signedUp = async (email = newEmail()): Promise<Tokens & { email: string }> => ({
    ...(await loginByDevice(node.origin, { email })),
    email,
  })
  const call = (tokens: Pick<Tokens, 'access_token'>, path: string, body?: unknown): Promise<Answer> =>
    callAs(node.origin, tokens, path, body === undefined ? {} : { method: 'POST', body })
  const confirm = (tokens: Pick<Tokens, 'access_token'>, code: string) =>
    call(tokens, '/me/login/verify-email/confirm', { code })
  const login = async (tokens: Pick<Tokens, 'access_token'>) => (await call(tokens, '/me/login')).body
  const renewed = async (tokens: Tokens): Promise<Tokens> => {
    const { status, body } = await refresh(node.origin, tokens.refresh_token)
    expect(status).toBe(200)
    return body as unknown as Tokens
  }
  async function verified(email?: string): Promise<Tokens & { email: string }> {
    const person = await signedUp(email)
    expect((await confirm(person, await mail.code(person.email, verifyMail))).status).toBe(200)
    return { ...person, ...(await renewed(person)) }
  }
  async function setPassword(code: string, password = newPassword): Promise<Answer> {
    const answer = await fetch(`${node.origin}/api/v1/auth/new-password`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code, new_password: password }),
    })
    return { status: answer.status, body: (await answer.json()) as Answer['body'] }
  }
  const visitor = (): PageClient =>
    new PageClient({ 'x-forwarded-for': `198.19.${random(256)}.${random(256)}` })
  async function forgotten(email: string, client = visitor()): Promise<SeenPage> {
    const page = await client.get(authorizationUrl(node.origin))
    return client.submit(await client.get(`${page.url}/forgotten`), '/forgotten', { email })
  }
  async function signsIn(email: string, typed: string): Promise<boolean> {
    const client = visitor()
    const page = await client.get(authorizationUrl(node.origin))
    return (await client.submit(page, '/sign-in', { email, password: typed })).title === 'Allow access?'
  }

  test('verify the address of a new user once they press the button', async () => {
    const person = await signedUp()
    const { text, letter } = await mail.letter(person.email, verifyMail)
    expect(text).toContain(`${node.origin}/verify-email#`)
    expect(letter.headers['auto-submitted']).toBe('auto-generated')
    expect(await login(person)).toMatchObject({
      email_verified: false,
      pending_email: null,
      sends_mail: true,
    })
    const code = await mail.code(person.email, verifyMail)
    // Mail scanners open the page, which changes nothing.
    await fetch(`${node.origin}/verify-email#${code}`)
    expect(await login(person)).toMatchObject({ email_verified: false })
    expect(await confirm(person, code)).toEqual({
      status: 200,
      body: { email: person.email, email_verified: true },
    })
    expect(await login(person)).toMatchObject({ email_verified: true })
    expect((await call(person, '/me')).body).toMatchObject({ email: person.email, email_verified: true })
    const { id_token: idToken } = await renewed(person)
    expect(JSON.parse(Buffer.from(idToken.split('.')[1]!, 'base64url').toString())).toMatchObject({
      email: person.email,
      email_verified: true,
    })
    expect((await confirm(person, code)).status).toBe(200)
    expect((await call(person, '/me/login/verify-email', {})).status).toBe(409)
  })

  test('work only for their own account and from a form, and are not stored in plain text', async () => {
    const [person, other] = [await signedUp(), await signedUp()]
    const code = await mail.code(person.email, verifyMail)
    for (const wrong of [code, code.slice(0, 42), `${code.slice(0, 42)}=`, '', null, 'x'.repeat(5_000)]) {
      const { status, body } = await confirm(other, wrong as string)
      expect([status, (body['error'] as { param: string }).param]).toEqual([400, 'code'])
    }
    expect(
      (
        await callAs(node.origin, { access_token: 'none' }, '/me/login/verify-email/confirm', {
          method: 'POST',
          body: { code },
        })
      ).status,
    ).toBe(401)
    expect((await confirm(person, code)).status).toBe(200)
    const { data } = await node.admin<{ data: { action: string; subject: string }[] }>('/audit?limit=100')
    expect(data.filter(({ action }) => action === 'verifyEmail').length).toBeGreaterThan(0)
    expect(JSON.stringify([data, node.log])).not.toContain(code)
  })

  test('are sent three times a day to an address; mails that the server refuses do not count', async () => {
    const person = await signedUp()
    await mail.letter(person.email, verifyMail)
    mail.smtp.refusesRecipients = '550 mail.internal knows nobody'
    const refused = await call(person, '/me/login/verify-email', {})
    mail.smtp.refusesRecipients = undefined
    expect(refused).toMatchObject({ status: 503 })
    expect(JSON.stringify(refused.body)).not.toContain('internal')
    for (const status of [200, 200, 429, 429])
      expect((await call(person, '/me/login/verify-email', {})).status).toBe(status)
    expect(mail.of(person.email)).toHaveLength(3)
    // Each of the codes works.
    expect((await confirm(person, await mail.code(person.email, verifyMail, 3))).status).toBe(200)
  })

  test('make the owner of a listed address an operator, with the next token', async () => {
    const squatter = await signedUp(ops)
    expect((await call(squatter, '/me')).body).toMatchObject({ operator: false })
    expect((await confirm(squatter, await mail.code(ops, verifyMail))).status).toBe(200)
    expect((await call(await renewed(squatter), '/me')).body).toMatchObject({ operator: true })
  })

  test('take an address from a user who registered with it, once its owner comes', async () => {
    const squatter = await signedUp()
    const { email } = squatter
    const key = await call(squatter, '/me/keys', { name: 'squatter’s' })
    const { page: taken } = await signUpByDevice(node.origin, { email })
    expect([taken.status, taken.text.includes('/forgotten"')]).toEqual([400, true])
    expect((await forgotten(email)).title).toBe('Check your email')
    const { text } = await mail.letter(email, claimMail)
    expect(text).toContain('you create a new account')
    expect(await setPassword(await mail.code(email, claimMail))).toEqual({
      status: 200,
      body: { changed: true, email },
    })
    expect(await signsIn(email, password)).toBe(false)
    expect(await signsIn(email, newPassword)).toBe(true)
    const owner = await signedInByDevice(email, newPassword)
    expect((await call(owner, '/me')).body).toMatchObject({ email, email_verified: true })
    expect((await call(owner, '/me/keys')).body['data']).toEqual([])
    // They keep their account without the address; the code in their own mail has no effect.
    expect((await call(squatter, '/me')).body).toMatchObject({ email: null, email_verified: false })
    expect((await call(squatter, `/me/keys/${String(key.body['id'])}`)).status).toBe(200)
    const { status } = await confirm(squatter, await mail.code(email, verifyMail))
    expect(status).toBe(400)
    expect((await call(squatter, '/me/login/verify-email', {})).status).toBe(409)
  })

  async function signedInByDevice(email: string, typed: string): Promise<Tokens> {
    const client = visitor()
    const { userCode, deviceCode } = await beginDevice(node.origin)
    const page = await confirmDevice(client, node.origin, userCode)
    await client.submit(page, '/sign-in', { email, password: typed })
    const { status, body } = await poll(node.origin, deviceCode)
    expect(status).toBe(200)
    return body as unknown as Tokens
  }

  /**
   * Claude Code's sign-in by a code that this person has approved.
   * @returns a function that returns the status of a model call
   */
  async function signedInDevice(person: Tokens): Promise<() => Promise<number>> {
    const claude = new ClaudeCode(node.origin)
    const { body: codes } = await claude.begin()
    const path = `/me/device-sign-ins/${String(codes['user_code'])}/approve`
    expect((await call(person, path, { spend_limit_usd: null })).status).toBe(200)
    const { body: tokens } = await claude.poll(String(codes['device_code']))
    const headers = { authorization: `Bearer ${String(tokens['access_token'])}` }
    return async () => (await fetch(`${node.origin}/v1/models`, { headers })).status
  }

  test('replace a lost password, and end every session', async () => {
    const person = await verified()
    const { email } = person
    const key = await call(person, '/me/keys', { name: 'goes on' })
    const device = await signedInDevice(person)
    expect(await device()).toBe(200)
    await forgotten(email)
    const code = await mail.code(email, passwordMail)
    expect(await setPassword(code, 'short')).toMatchObject({
      status: 400,
      body: { error: { param: 'new_password' } },
    })
    expect((await setPassword(code)).status).toBe(200)
    expect((await setPassword(code)).status).toBe(400)
    expect((await call(person, '/me')).status).toBe(401)
    await expect.poll(device).toBe(401)
    expect((await refresh(node.origin, person.refresh_token)).status).toBe(400)
    expect(await signsIn(email, password)).toBe(false)
    const again = await signedInByDevice(email, newPassword)
    expect((await call(again, `/me/keys/${String(key.body['id'])}`)).body).toMatchObject({ status: 'active' })
    const { data: entries } = await node.admin<{ data: { action: string; by: { email: string } | null }[] }>(
      '/audit?action=setForgottenPassword',
    )
    expect(entries[0]).toMatchObject({ by: { email } })
    expect(JSON.stringify([entries, node.log])).not.toContain(code)
    expect(JSON.stringify([entries, node.log])).not.toContain(newPassword)
  })

  test('reveal to nobody whether an address has an account', async () => {
    const person = await verified()
    const strip = (page: SeenPage, email: string): string =>
      page.text.replaceAll(email, '…').replaceAll(/(value|action|href)="[^"]*"/g, '')
    const nobody = newEmail()
    const [known, unknown] = [await forgotten(person.email), await forgotten(nobody)]
    expect([known.status, strip(known, person.email)]).toEqual([unknown.status, strip(unknown, nobody)])
    await mail.letter(person.email, passwordMail)
    expect(mail.of(nobody)).toEqual([])
    // However often a reset is requested: an hour apart, for known and unknown addresses.
    for (const email of [person.email, nobody]) {
      const titles = []
      for (let count = 0; count < 3; count++) titles.push((await forgotten(email.toUpperCase())).title)
      expect(titles).toEqual(['Check your email', 'Check your email', 'Please wait'])
    }
    await expect.poll(() => mail.of(person.email).length).toBe(4)
    const busy = visitor()
    for (let count = 0; count < 20; count++)
      expect((await forgotten(newEmail(), busy)).title).toBe('Check your email')
    expect((await forgotten(newEmail(), busy)).title).toBe('Please wait')
  })

  test('contain a link that no header of a request can change', async () => {
    const person = await verified()
    const client = new PageClient({
      'x-forwarded-for': '198.18.7.7',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.example;proto=https',
    })
    expect((await forgotten(person.email, client)).title).toBe('Check your email')
    const { text } = await mail.letter(person.email, passwordMail)
    expect(text).toContain(`${node.origin}/new-password#`)
    expect(text).not.toContain('evil')
    const refused = await fetch(authorizationUrl(node.origin), { headers: { host: 'evil.example' } })
    expect(refused.status).toBeGreaterThanOrEqual(400)
  })

  test('are not sent to invalid addresses, and pass no command to the mail server', async () => {
    const before = mail.smtp.letters.length
    for (const email of [
      'eve@example.com>\r\nRCPT TO:<victim@example.com',
      'eve@example.com\nbcc: victim@example.com',
      'eve@example.com>,<victim',
      '"eve@x"@example.com,victim',
      'eve,victim@example.com',
      'a;b@example.com',
      '<script>@example.com',
    ]) {
      const { page } = await signUpByDevice(node.origin, { email })
      expect(page.status).toBeLessThan(500)
      expect((await forgotten(email)).status).toBeLessThan(500)
    }
    const after = newEmail()
    await signedUp(after)
    await mail.letter(after, verifyMail)
    expect(mail.smtp.letters.slice(before).map(({ to }) => to)).toEqual([[after]])
  })

  test('change the address once the link in the mail to the new address is opened', async () => {
    const person = await verified()
    const nextEmail = newEmail()
    const response = await call(person, '/me/email', { current_password: password, email: nextEmail })
    expect(response).toEqual({ status: 200, body: { changed: false, pending_email: nextEmail } })
    expect(await login(person)).toMatchObject({
      email: person.email,
      email_verified: true,
      pending_email: nextEmail,
    })
    const { text } = await mail.letter(person.email, /^Your email address is about to change/)
    expect(text).toContain(nextEmail)
    const eve = await signedUp()
    const code = await mail.code(nextEmail, changeMail)
    expect((await confirm(eve, code)).status).toBe(400)
    expect((await confirm(person, code)).body).toEqual({ email: nextEmail, email_verified: true })
    expect(await login(person)).toMatchObject({ email: nextEmail, email_verified: true, pending_email: null })
    expect(await signsIn(nextEmail, password)).toBe(true)
    // A link to the old address no longer works, and a change to another user's address is not revealed in
    // advance.
    const taken = await call(eve, '/me/email', { current_password: password, email: nextEmail })
    expect(taken).toMatchObject({ status: 200, body: { pending_email: nextEmail } })
    expect((await confirm(eve, await mail.code(nextEmail, changeMail, 2))).status).toBe(409)
  })

  test("end a thief's pending change of address when the password changes", async () => {
    const person = await verified()
    const thiefs = newEmail()
    await call(person, '/me/email', { current_password: password, email: thiefs })
    const code = await mail.code(thiefs, changeMail)
    await forgotten(person.email)
    await setPassword(await mail.code(person.email, passwordMail))
    expect((await confirm(person, code)).status).toBe(401)
    const owner = await signedInByDevice(person.email, newPassword)
    expect((await confirm(owner, code)).status).toBe(400)
    expect(await login(owner)).toMatchObject({ email: person.email, pending_email: null })
  })

  test("verify whoever opens an invitation from its mail, but not from the API's response", async () => {
    const [owner, invited, other] = [await verified(), await signedUp(), await signedUp()]
    const org = await call(owner, '/organizations', { name: 'Engines' })
    const invite = async (email: string) => {
      const answer = await fetch(`${node.origin}/api/v1/organization/invitations`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${owner.access_token}`,
          'content-type': 'application/json',
          'x-turnpike-org': String(org.body['id']),
        },
        body: JSON.stringify({ role: 'viewer', email }),
      })
      return (await answer.json()) as { url: string; mailed: boolean }
    }
    const accept = (tokens: Tokens, code: string) =>
      call(tokens, '/organization-invitations/accept', { code })
    const { url, mailed } = await invite(invited.email)
    expect(mailed).toBe(true)
    const code = await mail.code(invited.email, /^Invitation to join/)
    expect(url).not.toContain(code)
    expect((await accept(invited, url.split('#')[1]!)).status).toBe(403)
    expect((await accept(other, code)).status).toBe(403)
    expect((await accept(invited, code)).status).toBe(200)
    expect(await login(invited)).toMatchObject({ email_verified: true })
    // Owners are notified by default, if they have verified their address.
    await mail.letter(owner.email, / joined as viewer \(Engines\)$/)
    expect((await accept(invited, url.split('#')[1]!)).status).toBe(409)
    // Having verified their address by their own mail, they may use the other link as well.
    const second = await invite(other.email)
    await confirm(other, await mail.code(other.email, verifyMail))
    expect((await accept(other, second.url.split('#')[1]!)).status).toBe(200)
  })

  test('are sent before a node stops', async () => {
    const own = await startTestNode({ input: { server: { port: 0 }, mail: await ownMail.settings() } })
    const email = newEmail()
    await loginByDevice(own.origin, { email })
    await own.stop()
    expect(ownMail.of(email).map(subjectOf)).toMatchObject([expect.stringMatching(verifyMail)])
    await ownMail.smtp.close()
  })
  const ownMail = new Mailboxes()
})

test('without a mail server, there are no mailed codes', { timeout: 60_000 }, async () => {
  const node = await startTestNode({ input: { server: { port: 0 } } })
  const client = new PageClient()
  const page = await client.get(authorizationUrl(node.origin))
  expect(page.text).not.toContain('Forgot')
  expect((await client.get(`${page.url}/forgotten`)).status).toBe(404)
  const tokens = await loginByDevice(node.origin, { email: newEmail() })
  const { body } = await callAs(node.origin, tokens, '/me/login')
  expect(body).toMatchObject({ sends_mail: false, pending_email: null })
  for (const path of ['/me/login/verify-email', '/auth/new-password'])
    expect((await callAs(node.origin, tokens, path, { method: 'POST', body: {} })).status).toBe(404)
  await node.stop()
})

function random(below: number): number {
  return Math.floor(Math.random() * below)
}
