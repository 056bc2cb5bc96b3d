import { expect, test } from 'vitest'
import { callAs, loginByDevice } from '../../../apps/server/identity/testing/device-login.ts'
import { allow, McpClient, newPersonAt } from '../../../apps/server/identity/testing/mcp-client.ts'
import { PageClient } from '../../../apps/server/identity/testing/page-client.ts'
import { newEmail } from '../../../apps/server/identity/testing/sign-in.ts'
import { callTool, rpc, send } from './raw-client.ts'
import { everyScope, signedInAgent, type SignedInAgent } from './signed-in-agent.ts'
import { suiteNode } from '../../nodes/suite.ts'

/**
 * The account that an app acts for: the one that its user chose, while the user is a member, and within the
 * user's role.
 */

const node = suiteNode({ server: { port: 0 } })

function newOrganization({ accountId: personId }: SignedInAgent, name: string): Promise<string> {
  const organization = { name, personId, tier: 'free', toldRoles: [], mostOfPerson: 10 }
  return node.storage.organizations.create(organization, Date.now())
}

/** The same user authorizes another app for an organization. */
async function connectFor(person: SignedInAgent, organization: string): Promise<string> {
  const client = new McpClient(`${node.origin}/mcp`, { client_name: 'For a team' })
  const consent = await person.pages.get((await client.begin()).href)
  const back = await allow(person.pages, consent, everyScope, { organization })
  return (await client.finish(back)).access_token
}

test('an app acts for the chosen organization, and for no other account', async () => {
  const person = await signedInAgent(node)
  const id = await newOrganization(person, 'Engines <b>')
  const asked = new McpClient(`${node.origin}/mcp`)
  const page = await person.pages.get((await asked.begin()).href)
  expect(page.text).toContain('Engines &lt;b&gt; (your role: owner)')
  await node.createKey({ accountId: id, creditUsd: '5' })
  const token = await connectFor(person, id)
  const key = await callTool(node, token, 'create_key', { name: 'of the team' })
  expect(key.structuredContent, JSON.stringify(key)).toMatchObject({ name: 'of the team' })
  expect((await callTool(node, person.token, 'list_keys')).structuredContent).toMatchObject({ keys: [] })
  const { data } = await node.admin<{ data: object[] }>(`/audit?account_id=${id}&action=createKey`)
  expect(data).toMatchObject([{ on_behalf_of: person.accountId, details: { via: 'mcp:For a team' } }])
  const answer = await callTool(node, token, 'chat', { prompt: 'Hi', model: 'sandbox/echo' })
  expect(answer.isError, JSON.stringify(answer)).toBeUndefined()
  const used = await callTool(node, token, 'usage', { by: ['member'], tag: ['mcp:For a team'] })
  expect(used.structuredContent).toMatchObject({
    total_requests: 1,
    rows: [{ group: expect.stringMatching(/^mem_/) as string }],
  })
  expect((await callTool(node, token, 'list_budgets')).structuredContent).toMatchObject({ budgets: [] })
})

test('no form and no header gives access to another account', async () => {
  const [person, other] = [await signedInAgent(node), await signedInAgent(node)]
  const own = await newOrganization(person, 'Own')
  const foreign = await newOrganization(other, 'Foreign')
  const client = new McpClient(`${node.origin}/mcp`)
  const consent = await person.pages.get((await client.begin()).href)
  expect(consent.text).not.toContain('Foreign')
  const refused = await allow(person.pages, consent, everyScope, { organization: foreign })
  expect([refused.status, refused.title]).toEqual([400, 'Allow access?'])
  const body = rpc('tools/list')
  for (const named of [own, foreign, 'acct_0', '']) {
    const answer = await send(node, { token: person.token, body, headers: { 'x-turnpike-org': named } })
    expect([named, answer.status], answer.text).toEqual([named, 400])
  }
  const token = await connectFor(person, own)
  for (const named of [person.accountId, foreign])
    expect((await send(node, { token, body, headers: { 'x-turnpike-org': named } })).status).toBe(400)
  expect((await send(node, { token, body, headers: { 'x-turnpike-org': own } })).status).toBe(200)
})

test('the role applies to every tool, and removing a member takes effect at once', async () => {
  const [owner, viewer] = [await signedInAgent(node), await signedInAgent(node)]
  const id = await newOrganization(owner, 'Roles')
  const { organizations } = node.storage
  const by = (await organizations.actingMember(id, owner.accountId))!
  const invitation = {
    organizationId: id,
    email: null,
    role: 'viewer' as const,
    by,
    mostOpen: 10,
    mail: null,
  }
  const codeHash = `hash of ${id}`
  await organizations.invite({ ...invitation, codeHash, expiresAtMs: Date.now() + 60_000 }, Date.now())
  await organizations.acceptInvitation(codeHash, viewer.accountId, Date.now())
  const token = await connectFor(viewer, id)
  expect((await callTool(node, token, 'list_keys')).isError).toBeUndefined()
  for (const [name, input] of [
    ['create_key', { name: 'x' }],
    ['chat', { prompt: 'Hi', model: 'sandbox/echo' }],
    ['top_up', { amount_usd: '25' }],
    ['create_budget', { name: 'x', scope: 'organization', period: 'day', limit_usd: '1' }],
    ['list_alerts', {}],
  ] as const) {
    const denied = await callTool(node, token, name, input)
    expect([name, denied.isError], JSON.stringify(denied)).toEqual([name, true])
    expect(denied.content[0]!.text).toContain('The role `viewer` may not')
  }
  const { memberId } = (await organizations.actingMember(id, viewer.accountId))!
  await organizations.removeMember(id, memberId, { keysGo: 'revoked', by }, Date.now())
  const body = rpc('tools/list')
  const ended = await send(node, { token, body })
  expect([ended.status, ended.headers.get('www-authenticate')]).toEqual([
    403,
    expect.stringContaining('error="access_denied"'),
  ])
  expect((await send(node, { token: viewer.token, body })).status).toBe(200)
})

test('lists of apps and sessions show which account each acts for, with its name for members', async () => {
  const pages = new PageClient()
  const user = await loginByDevice(node.origin, { email: newEmail() }, pages)
  const { id: accountId } = (await callAs(node.origin, user, '/me')).body as { id: string }
  const organization = await newOrganization({ accountId } as SignedInAgent, 'Engines')
  for (const chosen of ['', organization]) {
    const client = new McpClient(`${node.origin}/mcp`)
    const consent = await pages.get((await client.begin()).href)
    await client.finish(await allow(pages, consent, ['chat'], { organization: chosen }))
  }
  const actingFor = async (path: string): Promise<unknown[]> => {
    const { data } = (await callAs(node.origin, user, path)).body as { data: Record<string, unknown>[] }
    const apps = data.filter(({ object, kind }) => object === 'connected_app' || kind === 'app')
    return apps.map((app) => [app['organization_id'], app['organization_name']])
  }
  for (const path of ['/me/connected-apps', '/me/sessions'])
    expect(new Set(await actingFor(path))).toEqual(
      new Set([
        [null, null],
        [organization, 'Engines'],
      ]),
    )
  await node.storage.accounts.update(organization, { status: 'closed' })
  expect(await actingFor('/me/sessions')).toContainEqual([organization, null])
})

test('a user without an organization is not asked', async () => {
  const pages = new PageClient()
  const consent = await newPersonAt(await new McpClient(`${node.origin}/mcp`).begin(), pages)
  expect(consent.text).not.toContain('Account to use')
})
