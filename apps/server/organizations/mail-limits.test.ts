import { SmtpServer } from '@turnpike/simulators/mail/smtp-server'
import { expect, test } from 'vitest'
import { IssuerServer } from '../identity/testing/issuer-server.ts'
import { startTestNode } from '../../../tests/nodes/test-node.ts'

const resource = 'https://api.gateway.example'

test('at most 200 invitations and confirmations a day are mailed from one network', async () => {
  const smtp = new SmtpServer()
  const issuer = await IssuerServer.start()
  const node = await startTestNode({
    input: {
      server: { port: 0, trusted_proxies: ['127.0.0.1'] },
      identity: { name: 'logto', issuer: issuer.address, client_id: 'cli', resource },
      mail: {
        smtp: { host: '127.0.0.1', port: await smtp.listen(), tls: 'none' },
        from: 'alerts@gateway.test',
      },
    },
  })
  const as = async (sub: string, from: string, path: string, body: unknown, org?: string) => {
    const answer = await fetch(`${node.origin}/api/v1${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await issuer.token({ aud: resource, sub })}`,
        'content-type': 'application/json',
        'x-forwarded-for': from,
        ...(org !== undefined && { 'x-turnpike-org': org }),
      },
      body: JSON.stringify(body),
    })
    return { status: answer.status, body: (await answer.json()) as { id: string; url?: string } }
  }
  let made = 0
  const strangers = () => `stranger-${++made}@example.com`
  const [here, elsewhere] = ['198.51.100.7', '198.51.100.8']
  try {
    for (let person = 0; person < 4; person++) {
      const sub = `person-${person}`
      const { body: org } = await as(sub, here, '/organizations', { name: sub })
      for (let count = 0; count < 45; count++) {
        const invitation = { role: 'viewer', email: strangers() }
        expect((await as(sub, here, '/organization/invitations', invitation, org.id)).status).toBe(201)
      }
      for (let count = 0; count < 5; count++)
        expect((await as(sub, here, '/event-targets', { kind: 'mail', email: strangers() })).status).toBe(201)
    }
    const { body: org } = await as('person-5', here, '/organizations', { name: 'another one' })
    const invitation = () => ({ role: 'viewer', email: strangers() })
    const invite = (from: string, body: object) =>
      as('person-5', from, '/organization/invitations', body, org.id)
    const target = await as('person-5', here, '/event-targets', { kind: 'mail', email: strangers() })
    expect([target.status, (await invite(here, invitation())).status]).toEqual([429, 429])
    // The limit does not affect invitations without a mail, or callers in other networks.
    expect((await invite(here, { ...invitation(), send_mail: false })).status).toBe(201)
    expect((await invite(elsewhere, invitation())).status).toBe(201)
    expect(smtp.letters).toHaveLength(201)
  } finally {
    await node.stop()
    await issuer.stop()
    await smtp.close()
  }
})
