import type { PromptLog } from '@turnpike/gateway'
import { reachOf } from '@turnpike/identity'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { operationAt } from '../openapi/operation-table.ts'
import { permissionOf } from './permissions.ts'
import { startFullServer } from '../testing/full-server.ts'
import { requestRecord, type Answer } from '../testing/management-server.ts'

/*
 * A developer of an organization must see nothing of other members' keys, requests and budgets. The cases are
 * generated from the routes whose permission covers only a developer's own things: each is called before and
 * after the owner creates things of their own.
 */
const server = await startFullServer()
// Prompts are stored by the machine's own clock.
const startedAtMs = Date.now()
server.clock.nowMs = startedAtMs
afterAll(() => server.close())

interface Case {
  method: string
  path: string
}

const cases: Case[] = server.routes.filter(({ method, path }) => {
  const operation = operationAt(method, path)
  if (method === 'HEAD' || operation?.surface !== 'user') return false
  const permission = permissionOf(operation.action)
  return permission !== undefined && permission !== 'person' && reachOf('developer', permission) === 'own'
})
const named = ({ method, path }: Case): string => `${method} ${path}`
const rows = (list: readonly Case[]) => list.map((one) => [named(one), one] as const)

/** The size of the log that all members share: it shows nobody's rows. */
const shared = ['GET /api/v1/me/prompt-log']
const reads = cases.filter((one) => one.method === 'GET' && !one.path.includes(':'))
const placed = cases.filter(({ path }) => path.includes(':'))

const queries: Record<string, string> = {
  '/api/v1/usage/breakdown': '?by=key',
  '/api/v1/usage/export': '?format=jsonl',
}

let org: string
/** The owner's things, by the name of the path parameter that they fill. */
const owned: Record<string, string> = {}
const before = new Map<string, { developer: string; owner: string }>()

const call = (as: string, method: string, path: string, body?: object): Promise<Answer> =>
  server.call(method, path, {
    as,
    headers: { 'x-turnpike-org': org },
    ...(body !== undefined && { body }),
  })

const ask = (as: string, one: Case): Promise<Answer> =>
  call(as, one.method, one.path + (queries[one.path] ?? ''))

/** Calls the route with the owner's identifiers. */
function askPlaced(as: string, { method, path }: Case): Promise<Answer> {
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => {
    if (owned[name] === undefined) throw new Error(`this test makes no \`${name}\` of the owner`)
    return owned[name]
  })
  const body = operationAt(method, path)?.request as Record<string, unknown> | undefined
  const { from_key_id: _, ...request } = body ?? {}
  return call(as, method, filled, body === undefined ? undefined : request)
}

beforeAll(async () => {
  const made = await server.call('POST', '/api/v1/organizations', { as: 'owner', body: { name: 'Org' } })
  org = made.json.id
  const invited = await call('owner', 'POST', '/api/v1/organization/invitations', { role: 'developer' })
  const [, code] = String(invited.json['url']).split('#')
  const path = '/api/v1/organization-invitations/accept'
  await server.call('POST', path, { as: 'developer', body: { code } })
  await call('owner', 'PATCH', '/api/v1/me', { log_prompts: true })
  // All keys draw on the first one, so its balance is not the developer's.
  await call('owner', 'POST', '/api/v1/me/keys', { name: 'first' })
  await makeThings('developer')
  for (const one of reads) {
    const [developer, owner] = [await ask('developer', one), await ask('owner', one)]
    before.set(one.path, { developer: developer.text, owner: owner.text })
  }
  Object.assign(owned, await makeThings('owner'))
}, 60_000)

/** Makes a key, a request with it whose prompt is kept, a budget, and the refused sign-in of a device. */
async function makeThings(as: string): Promise<Record<string, string>> {
  const key = (await call(as, 'POST', '/api/v1/me/keys', { name: `of the ${as}` })).json
  const record = requestRecord({ accountId: org, keyId: key.id, startedAtMs, tags: [`of the ${as}`] })
  await server.write(record)
  await keepPrompt(record.id, key.id)
  const scope = { scope: 'member', subject: key['member_id'], limit_usd: '5', period: 'day' }
  const budget = await call('owner', 'POST', '/api/v1/budgets', { name: `of the ${as}`, ...scope })
  const { userCode } = await server.services.deviceSignIns!.signIns.begin('claude_code', '203.0.113.7')
  await call(as, 'POST', `/api/v1/me/device-sign-ins/${userCode}/deny`)
  return { key_id: key.id, request_id: record.id, budget_id: budget.json.id, user_code: userCode }
}

async function keepPrompt(requestId: string, keyId: string): Promise<void> {
  const log = server.services.promptLog as PromptLog
  const seen = log.begin()
  seen.takeBody(Buffer.from('{"messages": []}'))
  seen.takeAnswer(200, '{}')
  const request = { format: 'openai-chat', path: '/v1/chat/completions', status: 200 } as const
  log.add(seen, { requestId, accountId: org, keyId, createdAtMs: startedAtMs, ...request })
  await vi.waitUntil(() => log.find(org, requestId), { timeout: 20_000 })
}

describe('routes without an identifier', () => {
  test.each(rows(reads.filter((one) => !shared.includes(named(one)))))(
    '%s shows a developer nothing of the owner’s',
    async (_, one) => {
      const [developer, owner] = [await ask('developer', one), await ask('owner', one)]
      expect([developer.status, owner.status]).toEqual([200, 200])
      expect(developer.text).toBe(before.get(one.path)!.developer)
      // Otherwise `makeThings` creates nothing that this path shows, and the check above proves nothing.
      expect(owner.text).not.toBe(before.get(one.path)!.owner)
    },
  )
})

describe('an identifier of the owner’s in the path', () => {
  test('occurs in some routes', () => expect(placed.length).toBeGreaterThan(10))

  test.each(rows(placed))('%s is 404 for a developer', async (_, one) => {
    const answer = await askPlaced('developer', one)
    expect([answer.status, answer.json.error.type]).toEqual([404, 'not_found_error'])
  })

  // Nobody can read a sign-in that is decided.
  const lasting = placed.filter(({ method, path }) => method === 'GET' && !path.includes(':user_code'))
  test.each(rows(lasting))('%s is found for the owner', async (_, one) => {
    expect((await askPlaced('owner', one)).status).toBe(200)
  })
})
