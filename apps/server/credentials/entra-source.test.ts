import { CredentialFailure } from '@turnpike/gateway'
import type { CloudFault } from '@turnpike/simulators/clouds/cloud-server'
import { ManagedIdentityServer } from '@turnpike/simulators/clouds/entra'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mintEntraToken } from './entra-source.ts'
import { cloudEnvironment } from './testing/cloud-environment.ts'

let number = 0
/** Another one each time. */
const newScope = () => `https://service-${++number}.azure.com/.default`
let azure: ManagedIdentityServer
let environment: ReturnType<typeof cloudEnvironment>

// The library keeps the first address that it found, and tokens by what they are for.
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

describe("Entra's tokens of a managed identity", () => {
  it('are asked for the scope', async () => {
    const { value, livesMs, source } = await mint()
    expect([value, source]).toEqual(['entra-token-1', 'Entra: managed identity'])
    expect(livesMs).toBeGreaterThan(3_500_000)
    expect(azure.server.requests[0]!.path).toContain('resource=https%3A%2F%2Fservice-1.azure.com')
  })

  it('are asked for the identity that is named', async () => {
    await mint('a-client')
    expect(azure.server.requests.at(-1)!.path).toContain('client_id=a-client')
  })

  it.each<CloudFault>(['reset', 'status-500', 'html', 'empty', 'redirect', 'huge'])(
    '%s is said, with a hint',
    async (fault) => {
      azure.server.fault = fault
      const failure = await mint().catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(CredentialFailure)
      expect((failure as CredentialFailure).hint).not.toBe('')
      azure.server.fault = undefined
    },
  )
})
