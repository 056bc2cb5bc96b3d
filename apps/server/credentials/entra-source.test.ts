import { CredentialFailure } from '@turnpike/gateway'
import type { CloudFault } from '@turnpike/simulators/clouds/cloud-server'
import { ManagedIdentityServer } from '@turnpike/simulators/clouds/entra'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mintEntraToken } from './entra-source.ts'
import { cloudEnvironment } from './testing/cloud-environment.ts'

let number = 0
/** A different scope for each call, because the library caches tokens by scope. */
const newScope = () => `https://service-${++number}.azure.com/.default`
let azure: ManagedIdentityServer
let environment: ReturnType<typeof cloudEnvironment>

// The library caches the first address that it found, and tokens by scope.
beforeAll(async () => {
  azure = new ManagedIdentityServer()
  await azure.server.listen()
  environment = cloudEnvironment({
    IDENTITY_ENDPOINT: `${azure.server.origin}/msi/token`,
    IDENTITY_HEADER: 'identity-secret',
  })
})
afterAll(async () => {
  environment.end()
  await azure.server.close()
})

const mint = (clientId?: string, scope = newScope()) =>
  mintEntraToken(
    { kind: 'entra', scope, ...(clientId !== undefined && { clientId }) },
    AbortSignal.timeout(10_000),
  )

describe('a token of a managed identity', () => {
  it('is requested for the scope', async () => {
    const { value, livesMs, source } = await mint()
    expect([value, source]).toEqual(['entra-token-1', 'Entra: managed identity'])
    expect(livesMs).toBeGreaterThan(3_500_000)
    expect(azure.server.requests[0]!.path).toContain('resource=https%3A%2F%2Fservice-1.azure.com')
  })

  it('is requested for the configured identity', async () => {
    await mint('a-client')
    expect(azure.server.requests.at(-1)!.path).toContain('client_id=a-client')
  })

  it.each<CloudFault>(['reset', 'status-500', 'html', 'empty', 'redirect', 'huge'])(
    'is reported as failed, with a hint: %s',
    async (fault) => {
      azure.server.fault = fault
      const failure = await mint().catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(CredentialFailure)
      expect((failure as CredentialFailure).hint).not.toBe('')
      azure.server.fault = undefined
    },
  )
})
