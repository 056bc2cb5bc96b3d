import { SmtpServer, type Letter } from '@turnpike/simulators/mail/smtp-server'
import { describe, expect, test } from 'vitest'
import { suiteIssuer } from '../identity/testing/suite-issuer.ts'
import { plainText, subjectOf } from '../notify/testing/plain-text.ts'
import { WebhookReceiver } from '../notify/testing/webhook-receiver.ts'
import { databases } from '../../../tests/nodes/databases.ts'
import { suiteDatabase, suiteNode, suiteServer } from '../../../tests/nodes/suite.ts'

const resource = 'https://api.gateway.example'

interface Answer {
  status: number
  body: Record<string, unknown>
}

/** The mail of members of organizations and of people who are invited. */
describe.each(databases())('mail of an organization on $engine', ({ create }) => {
  const issuer = suiteIssuer()
  const database = suiteDatabase(create)
  const smtp = suiteServer(new SmtpServer())
  const receiver = suiteServer(new WebhookReceiver())
  const node = suiteNode(
    () => ({
      server: { port: 0 },
      identity: { name: 'logto', issuer: issuer.address, client_id: 'cli', resource },
      webhooks: { allowed_networks: ['127.0.0.1'] },
      mail: { smtp: smtp.settings, from: 'alerts@gateway.test' },
    }),
    { database },
  )

  const addressOf = (sub: string): string => `${sub}@example.com`
  async function as(
    sub: string,
    method: string,
    path: string,
    { org, body }: { org?: string; body?: unknown } = {},
  ): Promise<Answer> {
    const claims = { aud: resource, sub, email: addressOf(sub), email_verified: true, name: `Name of ${sub}` }
    const answer = await fetch(`${node.origin}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${await issuer.token(claims)}`,
        'content-type': 'application/json',
        ...(org !== undefined && { 'x-turnpike-org': org }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: (await answer.json()) as Answer['body'] }
  }
  const organization = async (owner: string, name = `Org of ${owner}`): Promise<string> =>
    String((await as(owner, 'POST', '/organizations', { body: { name } })).body['id'])
  const invite = (by: string, org: string, body: object): Promise<Answer> =>
    as(by, 'POST', '/organization/invitations', { org, body })
  const accept = (sub: string, code: string): Promise<Answer> =>
    as(sub, 'POST', '/organization-invitations/accept', { body: { code } })
  const preview = async (sub: string, code: string): Promise<string> => {
    const { body } = await as(sub, 'POST', '/organization-invitations/preview', { body: { code } })
    return (body['error'] as { message: string } | undefined)?.message ?? String(body['organization_name'])
  }
  async function join(sub: string, org: string, by: string, role: string): Promise<void> {
    const { body } = await invite(by, org, { role })
    expect((await accept(sub, String(body['url']).split('#')[1]!)).status).toBe(200)
  }

  const lettersTo = (sub: string): Letter[] => smtp.letters.filter(({ to }) => to.includes(addressOf(sub)))
  const subjectsTo = (sub: string): string[] => lettersTo(sub).map(subjectOf)
  const eventsOf = async (sub: string, org: string): Promise<string[]> => {
    const { body } = await as(sub, 'GET', '/events?limit=100', { org })
    return (body['data'] as { type: string }[]).map(({ type }) => type)
  }

  test("sends an invitation to its address only, which can be accepted with the mail's code", async () => {
    const org = await organization('ada', 'Engines')
    const before = smtp.letters.length
    const invited = await invite('ada', org, { role: 'billing', email: addressOf('ben') })
    expect(invited).toMatchObject({ status: 201, body: { mailed: true, email: addressOf('ben') } })
    const [letter, ...others] = smtp.letters
      .slice(before)
      .filter((one) => !subjectOf(one).startsWith('Somebody was invited as'))
    expect([letter!.to, others]).toEqual([[addressOf('ben')], []])
    expect(subjectOf(letter!)).toBe('Invitation to join "Engines"')
    const text = plainText(letter!.body)
    expect(text).toContain('"Name of ada" (ada@example.com) invites you to join the organization "Engines"')
    expect(text).toContain('with the role "billing"')
    expect(text).toMatch(/works until \d{4}-\d\d-\d\d \d\d:\d\d UTC/)
    expect(text).toContain('text/html')
    const [, code] = /\/join#([\w-]{43})/.exec(text)!
    // Only the owner of the mailbox knows the code in the mail.
    const [page, shown] = String(invited.body['url']).split('#')
    expect([page, shown === code]).toEqual([`${node.origin}/join`, false])
    expect(await preview('ben', shown!)).toBe('Engines')
    expect(await preview('ben', code!)).toBe('Engines')
    expect((await accept('eve', code!)).status).toBe(403)
    expect((await accept('ben', code!)).status).toBe(200)
    expect(await preview('ben', code!)).toContain('this invitation was already used')
  })

  test('is not sent unless requested, and a link is created even if the mail server refuses', async () => {
    const org = await organization('carl')
    const before = smtp.letters.length
    const silent = await invite('carl', org, { role: 'viewer', email: addressOf('dora'), send_mail: false })
    expect(silent).toMatchObject({ status: 201, body: { mailed: false } })
    expect((await invite('carl', org, { role: 'viewer' })).body['mailed']).toBe(false)
    const several = { role: 'viewer', email: `${addressOf('dora')},${addressOf('eve')}` }
    expect(await invite('carl', org, several)).toMatchObject({
      status: 400,
      body: { error: { param: 'email' } },
    })
    const nowhere = await invite('carl', org, { role: 'viewer', send_mail: true })
    expect(nowhere).toMatchObject({ status: 400, body: { error: { param: 'email' } } })
    expect(lettersTo('dora')).toEqual([])
    smtp.refusesRecipients = '550 mail.internal knows nobody'
    const refused = await invite('carl', org, { role: 'viewer', email: addressOf('dora') })
    smtp.refusesRecipients = undefined
    expect(refused).toMatchObject({ status: 201, body: { mailed: false } })
    const link = String(refused.body['url'])
    expect(await preview('dora', link.split('#')[1]!)).toBe('Org of carl')
    await as('carl', 'DELETE', `/organization/invitations/${String(refused.body['id'])}`, { org })
    expect(await preview('dora', link.split('#')[1]!)).toContain('this invitation was revoked')
    expect(smtp.letters.slice(before).filter(({ to }) => to.includes(addressOf('dora')))).toEqual([])
  })

  test('cannot be sent to arbitrary people by inviting them', async () => {
    const org = await organization('finn', 'Win 1000 USD at https://evil.example/now, or evil.example')
    const body = { role: 'viewer', email: addressOf('gina') }
    for (let count = 0; count < 3; count++) expect((await invite('finn', org, body)).status).toBe(201)
    const other = await organization('finn')
    for (const one of [org, other]) {
      const refused = await invite('finn', one, body)
      expect(refused).toMatchObject({ status: 429, body: { error: { type: 'rate_limit_error' } } })
    }
    // The mail of a revoked invitation was still sent.
    const { body: list } = await as('finn', 'GET', '/organization/invitations', { org })
    for (const { id } of list['data'] as { id: string }[])
      await as('finn', 'DELETE', `/organization/invitations/${id}`, { org })
    expect((await invite('finn', org, body)).status).toBe(429)
    expect((await invite('finn', other, { ...body, send_mail: false })).status).toBe(201)
    const letters = lettersTo('gina')
    expect(letters).toHaveLength(3)
    for (const letter of letters)
      for (const told of [plainText(letter.body), subjectOf(letter)])
        expect(told).not.toMatch(/evil\.example|\/\/evil/)
    let mailed = 0
    for (let count = 0; count < 60; count++) {
      const { status } = await invite('finn', other, {
        role: 'viewer',
        email: `someone-${count}@example.com`,
      })
      if (status === 201) mailed++
      else expect(status).toBe(429)
    }
    // Counts for one person in all of their organizations; three are used already.
    expect(mailed).toBe(47)
  })

  test('is refused for an address that mail programs interpret differently', async () => {
    const org = await organization('olga')
    const before = smtp.letters.length
    for (const email of [
      'eve,victim@example.com',
      '"eve;"@example.com',
      '<victim@example.com',
      'a:b@example.com',
    ]) {
      const invited = await invite('olga', org, { role: 'viewer', email })
      const target = await as('olga', 'POST', '/event-targets', { org, body: { kind: 'mail', email } })
      for (const refused of [invited, target])
        expect(refused).toMatchObject({ status: 400, body: { error: { param: 'email' } } })
    }
    const written = smtp.letters.slice(before).flatMap(({ to }) => to)
    expect(written.filter((address) => /eve|victim|:/.test(address))).toEqual([])
  })

  test('is not altered by a name, which cannot start a line or reverse the text around it', async () => {
    const hostile = 'En\u202egin\u2066es\u2028\u2029of\u200f hugo'
    const org = await organization('hugo', hostile)
    await join('ines', org, 'hugo', 'billing')
    await expect
      .poll(() => subjectsTo('hugo').some((one) => one.startsWith('"Name of ines" joined')))
      .toBe(true)
    for (const letter of lettersTo('hugo')) {
      const text = subjectOf(letter) + plainText(letter.body)
      expect(text).toContain('En gin es of  hugo')
      expect(text).not.toMatch(/[\u2028\u2029\p{Bidi_Control}]/u)
    }
  })

  test('notifies current owners and billing members, and nobody who has left', async () => {
    const org = await organization('hank')
    const { body: targets } = await as('hank', 'GET', '/event-targets', { org })
    expect(targets['data']).toMatchObject([
      {
        kind: 'mail',
        name: 'owners and billing',
        roles: ['owner', 'billing'],
        email: null,
        status: 'active',
      },
    ])
    const hook = { kind: 'webhook', url: receiver.url }
    expect((await as('hank', 'POST', '/event-targets', { org, body: hook })).status).toBe(201)
    await join('ivy', org, 'hank', 'billing')
    await join('jack', org, 'hank', 'developer')
    const joined = (role: string) =>
      `"Name of ${role === 'billing' ? 'ivy' : 'jack'}" joined as ${role} (Org of hank)`
    await expect.poll(() => subjectsTo('ivy')).toContain(joined('developer'))
    await expect.poll(() => subjectsTo('hank')).toContain(joined('billing'))

    const { body: members } = await as('hank', 'GET', '/organization/members', { org })
    const idOf = (sub: string): string =>
      (members['data'] as { id: string; email: string }[]).find(({ email }) => email === addressOf(sub))!.id
    const change = { org, body: { role: 'admin' } }
    await as('hank', 'PATCH', `/organization/members/${idOf('jack')}`, change)
    await as('hank', 'DELETE', `/organization/members/${idOf('ivy')}?keys=revoked`, { org })
    await as('jack', 'POST', '/organization/leave', { org, body: {} })
    await expect.poll(() => subjectsTo('hank')).toContain('"Name of jack" left (Org of hank)')
    await expect.poll(() => subjectsTo('hank')).toContain('"Name of ivy" was removed (Org of hank)')
    expect(subjectsTo('ivy')).not.toContain('"Name of ivy" was removed (Org of hank)')
    expect(lettersTo('jack')).toEqual([])

    expect(await eventsOf('hank', org)).toEqual([
      'member.left',
      'member.removed',
      'member.role_changed',
      'member.joined',
      'invitation.created',
      'member.joined',
      'invitation.created',
    ])
    const told = () =>
      receiver.received
        .map(({ body }) => JSON.parse(body) as { type: string; data: Record<string, unknown> })
        .filter(({ data }) => data['account_id'] === org)
    await expect
      .poll(() =>
        told()
          .map(({ type }) => type)
          .toSorted(),
      )
      .toContain('member.left')
    const byType = (type: string) => told().find((one) => one.type === type)?.data
    await expect
      .poll(() => byType('member.role_changed'))
      .toMatchObject({ member_id: idOf('jack'), role: 'admin', previous_role: 'developer', by: idOf('hank') })
    await expect
      .poll(() => byType('member.removed'))
      .toMatchObject({ member_id: idOf('ivy'), keys: 'revoked', by: idOf('hank') })
    expect(JSON.stringify(told())).not.toContain('@example.com')
  })

  test('stops for a recipient who unsubscribes until they subscribe again, but not for others', async () => {
    const org = await organization('kate')
    await join('liam', org, 'kate', 'owner')
    await expect.poll(() => lettersTo('liam').length).toBe(1)
    await join('mona', org, 'kate', 'viewer')
    await expect.poll(() => lettersTo('liam').length).toBeGreaterThanOrEqual(3)
    const letter = lettersTo('liam').at(-1)!
    const link = /<(.*)>/.exec(letter.headers['list-unsubscribe']!)![1]!
    expect(letter.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
    expect(plainText(letter.body)).toContain(`Choose your notifications: ${node.origin}/alerts`)
    expect(plainText(letter.body)).toContain(link)
    const state = async (method: string, path = ''): Promise<string> => {
      const form = { 'content-type': 'application/x-www-form-urlencoded' }
      const oneClick = { method, headers: form, body: 'List-Unsubscribe=One-Click' }
      const page = await fetch(link + path, method === 'GET' ? {} : oneClick)
      return /<h1[^>]*>([^<]*)</.exec(await page.text())?.[1] ?? ''
    }
    expect(await state('GET')).toBe('Alerts by email')
    expect(await state('POST')).toBe('You have unsubscribed')
    await expect.poll(async () => waiting(org)).toBe(0)
    const had = lettersTo('liam').length
    const kates = lettersTo('kate').length
    await invite('kate', org, { role: 'viewer' })
    await expect.poll(() => lettersTo('kate').length).toBe(kates + 1)
    expect(lettersTo('liam')).toHaveLength(had)
    // Turning the target off and on does not bring back a recipient who has unsubscribed.
    const { body: targets } = await as('kate', 'GET', '/event-targets', { org })
    const [{ id }] = targets['data'] as [{ id: string }]
    for (const status of ['disabled', 'active'])
      await as('kate', 'PATCH', `/event-targets/${id}`, { org, body: { status } })
    await invite('kate', org, { role: 'viewer' })
    await expect.poll(() => lettersTo('kate').length).toBe(kates + 2)
    expect(lettersTo('liam')).toHaveLength(had)
    expect(await state('POST', '/undo')).toBe('Alerts by email')
    await invite('kate', org, { role: 'viewer' })
    await expect.poll(() => lettersTo('liam').length).toBe(had + 1)
    const nobody = await fetch(link.slice(0, -3) + 'abc')
    expect(nobody.status).toBe(404)
  })

  test('asks an address that has unsubscribed for no further confirmation', async () => {
    const org = await organization('rosa')
    const made = await as('rosa', 'POST', '/event-targets', {
      org,
      body: { kind: 'mail', types: ['topup.paid'] },
    })
    const path = `/event-targets/${String(made.body['id'])}`
    await as('rosa', 'POST', `${path}/test`, { org })
    const tests = () => lettersTo('rosa').filter((one) => subjectOf(one).startsWith('A test of your alerts'))
    await expect.poll(() => tests().length).toBe(1)
    const link = /<(.*)>/.exec(tests()[0]!.headers['list-unsubscribe']!)![1]!
    expect((await fetch(link, { method: 'POST' })).status).toBe(200)
    const { body } = await as('rosa', 'GET', path, { org })
    expect(body).toMatchObject({ status: 'unconfirmed', disabled_reason: 'the recipient has unsubscribed' })
    for (const [method, rest, change] of [
      ['POST', '/confirmation', undefined],
      ['POST', '/test', undefined],
      ['PATCH', '', { status: 'active' }],
    ] as const)
      expect((await as('rosa', method, path + rest, { org, body: change })).status).toBe(409)
    await expect.poll(() => eventsOf('rosa', org)).toContain('webhook.disabled')
    expect((await fetch(`${link}/undo`, { method: 'POST' })).status).toBe(200)
    expect((await as('rosa', 'GET', path, { org })).body).toMatchObject({
      status: 'active',
      disabled_reason: null,
    })
  })

  const waiting = async (org: string): Promise<number> => {
    const pending = await node.admin<{ data: unknown[] }>(`/accounts/${org}/deliveries?status=pending`)
    return pending.data.length
  }

  test("ends with a membership for the member's own address", async () => {
    const org = await organization('nora')
    await join('otto', org, 'nora', 'admin')
    const made = await as('otto', 'POST', '/event-targets', { org, body: { kind: 'mail' } })
    expect(made.body).toMatchObject({ email: addressOf('otto'), status: 'active' })
    await as('otto', 'POST', '/organization/leave', { org, body: {} })
    const { body } = await as('nora', 'GET', `/event-targets/${String(made.body['id'])}`, { org })
    expect(body).toMatchObject({
      status: 'disabled',
      disabled_reason: 'its address belongs to a member who has left',
    })
  })

  test('goes to roles, in organizations only, and only to roles that may set alerts', async () => {
    const org = await organization('pia')
    const roles = (body: object, acting: string | undefined = org) =>
      as('pia', 'POST', '/event-targets', {
        ...(acting !== '' && { org: acting }),
        body: { kind: 'mail', ...body },
      })
    const paramOf = ({ status, body }: Answer) => [status, (body['error'] as { param: string }).param]
    expect(paramOf(await roles({ roles: ['developer'] }))).toEqual([400, 'roles[0]'])
    expect(paramOf(await roles({ roles: [] }))).toEqual([400, 'roles'])
    expect(paramOf(await roles({ roles: ['owner'], email: 'x@example.com' }))).toEqual([400, 'roles'])
    expect(paramOf(await roles({ roles: ['owner'], kind: 'webhook', url: receiver.url }))).toEqual([
      400,
      'roles',
    ])
    expect(paramOf(await roles({ roles: ['owner'] }, ''))).toEqual([400, 'roles'])
    const admins = await roles({ roles: ['admin'] })
    expect(admins.body).toMatchObject({
      name: 'admins',
      roles: ['admin'],
      people: 0,
      people_unreached: 0,
      status: 'active',
    })
    const path = `/event-targets/${String(admins.body['id'])}`
    expect((await as('pia', 'POST', `${path}/test`, { org })).status).toBe(409)
    const wider = await as('pia', 'PATCH', path, { org, body: { roles: ['admin', 'owner'] } })
    expect(wider.body).toMatchObject({ roles: ['admin', 'owner'], people: 1 })
    const sent = await as('pia', 'POST', `${path}/test`, { org })
    expect(sent.body).toMatchObject({
      target_id: admins.body['id'],
      member_id: expect.stringMatching(/^mem_/),
    })
    await expect.poll(() => subjectsTo('pia')).toContain('A test of your alerts (Org of pia)')
    const log = await as('pia', 'GET', `/deliveries?target_id=${String(admins.body['id'])}`, { org })
    expect(log.body['data']).toMatchObject([{ id: sent.body['id'] }])
    expect((await as('pia', 'DELETE', path, { org })).status).toBe(200)
  })
})
