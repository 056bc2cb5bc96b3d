import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { IssuerServer } from '../identity/testing/issuer-server.ts'
import { suiteIssuer } from '../identity/testing/suite-issuer.ts'
import { databases } from '../../../tests/nodes/databases.ts'
import { suiteDatabase, suiteNode } from '../../../tests/nodes/suite.ts'
import { startTestNode, type TestNode } from '../../../tests/nodes/test-node.ts'

const resource = 'https://api.gateway.example'
const hello = { model: 'sandbox/echo', messages: [{ role: 'user', content: 'Hello there' }] }

interface Answer {
  status: number
  body: Record<string, unknown>
}

/** People who act for an organization: with the real pipeline behind its keys, on two nodes. */
describe.each(databases())('an organization on $engine', { timeout: 60_000 }, ({ engine, create }) => {
  const issuer = suiteIssuer()
  const database = suiteDatabase(create)
  const start = (): TestNode =>
    suiteNode(
      () => ({
        server: { port: 0 },
        identity: { name: 'logto', issuer: issuer.address, client_id: 'cli', resource },
      }),
      { database },
    )
  // SQLite has one node only.
  const nodes = engine === 'SQLite' ? [start()] : [start(), start()]
  const last = (): TestNode => nodes.at(-1)!

  async function as(
    sub: string,
    method: string,
    path: string,
    org?: string,
    body?: unknown,
  ): Promise<Answer> {
    const answer = await fetch(`${nodes[0]!.origin}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${await issuer.token({ aud: resource, sub })}`,
        'content-type': 'application/json',
        ...(org !== undefined && { 'x-turnpike-org': org }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: (await answer.json()) as Answer['body'] }
  }

  const chat = async (raw: string, node = last()): Promise<number> => {
    const headers = { authorization: `Bearer ${raw}`, 'content-type': 'application/json' }
    const body = JSON.stringify(hello)
    const answer = await fetch(`${node.origin}/v1/chat/completions`, { method: 'POST', headers, body })
    await answer.text()
    return answer.status
  }

  async function furnished(owner: string, ...people: string[]): Promise<string> {
    const { body } = await as(owner, 'POST', '/organizations', undefined, { name: `Org of ${owner}` })
    const org = String(body['id'])
    for (const person of people) {
      const role = { role: 'developer' }
      const invited = await as(owner, 'POST', '/organization/invitations', org, role)
      const code = String(invited.body['url']).split('#')[1]
      await as(person, 'POST', '/organization-invitations/accept', undefined, { code })
    }
    const credit = { amount_usd: '5', kind: 'grant', reason: 'test' }
    await nodes[0]!.admin(`/accounts/${org}/credits`, { method: 'POST', body: credit })
    return org
  }

  const newKey = async (person: string, org: string): Promise<{ id: string; raw: string }> =>
    (await as(person, 'POST', '/me/keys', org, { name: person })).body as { id: string; raw: string }
  const memberOf = async (person: string, org: string): Promise<string> =>
    String((await as(person, 'GET', '/me', org)).body['member_id'])

  test("pays for its members’ keys and playgrounds, and shows each member's spending", async () => {
    const org = await furnished('ada', 'ben')
    const [adas, bens] = [await newKey('ada', org), await newKey('ben', org)]
    expect([await chat(adas.raw), await chat(bens.raw), await chat(bens.raw)]).toEqual([200, 200, 200])
    const played = await as('ben', 'POST', '/playground/chat/completions', org, hello)
    expect(played.status).toBe(200)
    const foreign = await as('eve', 'POST', '/playground/chat/completions', org, hello)
    expect(foreign.status).toBe(404)
    await vi.waitFor(async () => {
      const { body } = await as('ada', 'GET', '/usage/breakdown?by=member', org)
      const told = (body['data'] as { group: string; total_requests: number }[]).map((row) => [
        row.group,
        row.total_requests,
      ])
      expect(new Map(told as [string, number][])).toEqual(
        new Map([
          [await memberOf('ben', org), 3],
          [await memberOf('ada', org), 1],
        ]),
      )
    }, 10_000)
    expect((await as('ada', 'GET', '/balance')).body['balance_usd']).toBe('0')
  })

  test("removes a member, whose keys are refused on all nodes or become the organization's", async () => {
    const org = await furnished('carl', 'dora', 'emil')
    const [doras, emils] = [await newKey('dora', org), await newKey('emil', org)]
    for (const node of nodes)
      expect([await chat(doras.raw, node), await chat(emils.raw, node)]).toEqual([200, 200])
    const path = async (person: string) => `/organization/members/${await memberOf(person, org)}`
    const [dora, emil] = [await path('dora'), await path('emil')]
    const revoked = await as('carl', 'DELETE', `${dora}?keys=revoked`, org)
    expect(revoked).toMatchObject({ status: 200, body: { status: 'removed', key_count: 1 } })
    for (const node of nodes)
      await vi.waitFor(async () => expect(await chat(doras.raw, node)).toBe(401), { timeout: 5_000 })
    await as('carl', 'DELETE', `${emil}?keys=organization`, org)
    for (const node of nodes) expect(await chat(emils.raw, node)).toBe(200)
    expect((await as('emil', 'POST', '/playground/chat/completions', org, hello)).status).toBe(404)
    const { body } = await as('carl', 'GET', '/me/keys', org)
    const active = (body['data'] as Record<string, unknown>[]).filter(({ status }) => status === 'active')
    expect(active).toMatchObject([{ name: 'emil', member_id: null, handed_over: true }])
    // A former member knows the secret until it is rotated.
    const rotated = await as('carl', 'POST', `/me/keys/${String(active[0]!['id'])}/rotate`, org, {})
    expect(rotated.status).toBe(201)
    for (const node of nodes)
      await vi.waitFor(async () => expect(await chat(emils.raw, node)).toBe(401), { timeout: 5_000 })
    expect(await chat(String(rotated.body['raw']))).toBe(200)
    expect(await nodes[0]!.storage.ledger.verify()).toMatchObject({ ok: true, differences: [] })
  })

  test('has removals finished by any node if the node that began them is gone', async () => {
    const org = await furnished('fred', 'gina')
    const ginas = await newKey('gina', org)
    const memberId = await memberOf('gina', org)
    // The state that a node leaves if it is killed after the first step.
    const { organizations } = nodes[0]!.storage
    const removal = { keysGo: 'organization' as const, by: null }
    await organizations.removeMember(org, memberId, removal, Date.now())
    await vi.waitFor(
      async () => expect(await organizations.member(org, memberId)).toMatchObject({ status: 'removed' }),
      { timeout: 20_000 },
    )
    expect(await chat(ginas.raw)).toBe(200)
  })
})

test('members come and go with the roles in the issuer’s tokens', { timeout: 60_000 }, async () => {
  const issuer = await IssuerServer.start()
  const identity = { name: 'logto', issuer: issuer.address, client_id: 'cli', resource }
  const dataDir = mkdtempSync(join(tmpdir(), 'turnpike-test-'))
  const first = await startTestNode({ dataDir, input: { server: { port: 0 }, identity } })
  const maker = { authorization: `Bearer ${await issuer.token({ aud: resource, sub: 'ada' })}` }
  const made = await fetch(`${first.origin}/api/v1/organizations`, {
    method: 'POST',
    headers: { ...maker, 'content-type': 'application/json' },
    body: '{"name":"Engines"}',
  })
  const { id: org } = (await made.json()) as { id: string }
  await first.stop()
  const node = await startTestNode({
    dataDir,
    input: {
      server: { port: 0 },
      identity: {
        ...identity,
        roles_claim: 'realm_access.roles',
        role_mappings: [{ value: 'eng', organization: org, role: 'developer' }],
      },
    },
  })
  const roleOf = async (roles: unknown): Promise<unknown> => {
    const claims = { aud: resource, sub: 'ben', realm_access: { roles } }
    const authorization = `Bearer ${await issuer.token(claims)}`
    const answer = await fetch(`${node.origin}/api/v1/me`, {
      headers: { authorization, 'x-turnpike-org': org },
    })
    return answer.status === 200 ? ((await answer.json()) as { role: string }).role : answer.status
  }
  expect(await roleOf(['other'])).toBe(404)
  expect(await roleOf(['eng', 'other'])).toBe('developer')
  expect(await roleOf(undefined)).toBe(404)
  await node.stop()
  await issuer.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

test('a person can create as many as the operator allows', { timeout: 60_000 }, async () => {
  const issuer = await IssuerServer.start()
  const identity = { issuer: issuer.address, client_id: 'cli', resource, max_organizations: 1 }
  const node = await startTestNode({ input: { server: { port: 0 }, identity } })
  const authorization = `Bearer ${await issuer.token({ aud: resource, sub: 'ada' })}`
  const statuses: number[] = []
  for (const name of ['one', 'two']) {
    const headers = { authorization, 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify({ name }) }
    statuses.push((await fetch(`${node.origin}/api/v1/organizations`, init)).status)
  }
  expect(statuses).toEqual([201, 409])
  await node.stop()
  await issuer.stop()
})
