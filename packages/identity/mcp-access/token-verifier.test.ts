import type { JWTPayload } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Account, AccountStatus } from '../accounts/account.ts'
import { newFakeIssuer, newSigner, nowMs, nowSeconds, type Signer } from '../testing/token-signer.ts'
import type { UserToken } from '../user-tokens/user-token.ts'
import { isRefused, type McpAccess } from './mcp-access.ts'
import { McpTokenVerifier, type McpTokenVerifierOptions } from './token-verifier.ts'

const resource = 'https://gateway.example/mcp'
const metadataUrl = 'https://gateway.example/.well-known/oauth-protected-resource/mcp'
const allScopes = 'usage:read alerts:read keys:write budgets:write topup:write chat'

let signer: Signer
beforeAll(async () => {
  signer = await newSigner('ES256', 'key-1')
})

interface World {
  verifier: McpTokenVerifier
  seen: UserToken[]
}

function verifierOf(options: Partial<McpTokenVerifierOptions> = {}, status: AccountStatus = 'active'): World {
  const seen: UserToken[] = []
  const account: Account = {
    id: 'acct_1',
    kind: 'person',
    displayName: null,
    email: null,
    emailVerified: false,
    subject: 'user-1',
    status,
    tier: 'free',
    operator: false,
    lifetimeTopupPico: 0n,
    baselineModel: null,
    playgroundKeyId: null,
    logPrompts: false,
    logDays: null,
    keysMayTopUp: true,
    createdAtMs: 0,
    balancePico: 0n,
    unassignedPico: 0n,
  }
  const verifier = new McpTokenVerifier({
    issuer: newFakeIssuer([signer.publicJwk]).issuer,
    resource,
    metadataUrl,
    accounts: {
      signIn: async (user) => {
        seen.push(user)
        return account
      },
    },
    organizations: { actingMember: async () => undefined },
    tier: 'free',
    clock: () => nowMs,
    ...options,
  })
  return { verifier, seen }
}

async function bearer(claims: JWTPayload = {}): Promise<string> {
  const usual = { aud: resource, client_id: 'app_1', scope: 'usage:read chat' }
  return `Bearer ${await signer.sign({ ...usual, ...claims })}`
}

async function accessOf(claims: JWTPayload): Promise<McpAccess> {
  const access = await verifierOf().verifier.verify(await bearer(claims))
  if (isRefused(access)) throw new Error(access.message)
  return access
}

describe('a request', () => {
  test('without a token gets told where to get one, and with which scopes', async () => {
    expect(await verifierOf().verifier.verify(undefined)).toEqual({
      status: 401,
      wwwAuthenticate: `Bearer resource_metadata="${metadataUrl}", scope="${allScopes}"`,
      message: 'The MCP server needs an access token: `Authorization: Bearer <token>`.',
    })
  })

  test('with a token gets the access that the token describes', async () => {
    const { verifier, seen } = verifierOf()
    const access = await verifier.verify(await bearer({ client_name: ' My\u202e\nagent ' }))
    expect(access).toMatchObject({ accountId: 'acct_1', clientId: 'app_1', clientName: 'My agent' })
    expect([...(access as McpAccess).scopes]).toEqual(['usage:read', 'chat'])
    expect(seen).toMatchObject([{ subject: 'user-1', email: null }])
    expect(seen[0]).not.toHaveProperty('loginGeneration')
  })

  test.each<[string, JWTPayload, string[]]>([
    ['a text', { scope: 'chat openid' }, ['chat']],
    ['a list', { scope: ['chat', 'keys:write', 7] }, ['chat', 'keys:write']],
    ['scp', { scope: undefined, scp: 'usage:read' }, ['usage:read']],
    ['a list in scp', { scope: undefined, scp: ['topup:write'] }, ['topup:write']],
    ['nothing', { scope: undefined }, []],
    ['a name of every object', { scope: 'toString constructor __proto__' }, []],
    ['a number', { scope: 7 }, []],
  ])('has the scopes of a token with %s', async (_, claims, scopes) => {
    expect([...(await accessOf(claims)).scopes]).toEqual(scopes)
  })

  test.each<[string, JWTPayload, string]>([
    ['for the API', { aud: 'https://gateway.example' }, 'aud'],
    ['for the client', { aud: 'app_1' }, 'aud'],
    ['for a longer address', { aud: `${resource}/x` }, 'aud'],
    ['of another issuer', { iss: 'https://evil.example' }, 'iss'],
    ['that has expired', { exp: nowSeconds - 60 }, 'expired'],
    ['that is early', { nbf: nowSeconds + 60 }, 'nbf'],
    ['of no client', { client_id: undefined }, 'has no client'],
  ])('with a token %s is 401, with the address of the metadata', async (_, claims, reason) => {
    const refusal = await verifierOf().verifier.verify(await bearer(claims))
    expect(refusal).toMatchObject({ status: 401, message: expect.stringContaining(reason) as string })
    const { wwwAuthenticate } = refusal as { wwwAuthenticate: string }
    expect(wwwAuthenticate).toContain(`resource_metadata="${metadataUrl}"`)
    expect(wwwAuthenticate).toMatch(/^Bearer error="invalid_token", error_description="[^"`]+", /)
  })

  test.each([
    'Basic YTpi',
    'Bearer',
    'Bearer a, Bearer b',
    'Bearer sk-turnpike-0000',
    `Bearer ${'a'.repeat(9000)}`,
  ])('with %s is 401', async (header) => {
    expect(await verifierOf().verifier.verify(header)).toMatchObject({ status: 401 })
  })

  test.each<AccountStatus>(['suspended', 'closed'])('of an account that is %s is 403', async (status) => {
    const refusal = await verifierOf({}, status).verifier.verify(await bearer())
    expect(refusal).toMatchObject({ status: 403, message: `The account is ${status}.` })
    expect((refusal as { wwwAuthenticate: string }).wwwAuthenticate).not.toContain('insufficient_scope')
  })

  test("with the embedded provider's token ends with its grant and its login", async () => {
    const granted = new Set(['grant-1'])
    const { verifier, seen } = verifierOf({
      grantOf: async (id) => (granted.has(id) ? { organizationId: undefined } : undefined),
    })
    const header = await bearer({ grant_id: 'grant-1', login_generation: 2 })
    expect(isRefused(await verifier.verify(header))).toBe(false)
    expect(seen).toMatchObject([{ loginGeneration: 2 }])
    expect(await verifier.verify(await bearer())).toMatchObject({ status: 401 })
    granted.clear()
    expect(await verifier.verify(header)).toMatchObject({ status: 401 })
  })
})

test('lists all scopes that a call needs at once', () => {
  expect(verifierOf().verifier.insufficientScope(['keys:write', 'chat'])).toEqual({
    status: 403,
    wwwAuthenticate:
      `Bearer error="insufficient_scope", scope="keys:write chat", resource_metadata="${metadataUrl}", ` +
      `error_description="This requires the scope 'keys:write chat', which was not granted."`,
    message: 'This requires the scope `keys:write chat`, which was not granted.',
  })
})

describe('the account that an app acts for', () => {
  const organization = `acct_${'0'.repeat(26)}`
  const member = { memberId: 'mem_1', role: 'viewer' as const }
  const organizations = {
    actingMember: async (id: string) => (id === organization ? member : undefined),
  }

  test('is named by the request if the issuer does not ask the person', async () => {
    const { verifier } = verifierOf({ organizations })
    const header = await bearer()
    expect(await verifier.verify(header)).toMatchObject({ accountId: 'acct_1', member: null })
    expect(await verifier.verify(header, organization)).toMatchObject({ accountId: organization, member })
    await expect(verifier.verify(header, `acct_${'1'.repeat(26)}`)).rejects.toMatchObject({ status: 404 })
  })

  test('is named by the grant, and no request can change it', async () => {
    const grantOf = async () => ({ organizationId: organization })
    const { verifier } = verifierOf({ organizations, grantOf })
    const header = await bearer()
    expect(await verifier.verify(header)).toMatchObject({ accountId: organization, member })
    expect(await verifier.verify(header, organization)).toMatchObject({ accountId: organization })
    await expect(verifier.verify(header, 'acct_1')).rejects.toMatchObject({ status: 400 })
    expect(await verifierOf({ grantOf }).verifier.verify(header)).toMatchObject({ status: 403 })
  })
})
