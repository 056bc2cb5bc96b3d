import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CredentialFailure } from '@turnpike/gateway'
import type { CloudFault } from '@turnpike/simulators/clouds/cloud-server'
import { EntraTokenServer } from '@turnpike/simulators/clouds/entra-tokens'
import { selfSigned } from '@turnpike/simulators/clouds/self-signed'
import type { EntraIdentity } from '@turnpike/vendors'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { mintEntraToken, type EntraTransport } from './entra-source.ts'
import { cloudEnvironment } from './testing/cloud-environment.ts'

const folder = mkdtempSync(join(tmpdir(), 'turnpike-test-'))
afterAll(() => rmSync(folder, { recursive: true }))
const save = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
const scope = 'https://cognitiveservices.azure.com/.default'
const application = { tenantId: '11111111-2222-3333-4444-555555555555', clientId: 'an-application' }

let entra: EntraTokenServer
let environment: ReturnType<typeof cloudEnvironment>

beforeEach(async () => {
  entra = new EntraTokenServer()
  await entra.server.listen()
  environment = cloudEnvironment()
})
afterEach(async () => {
  environment.end()
  await entra.server.close()
})

/** Sends the library's own requests to the simulator instead of Microsoft's hosts. */
const transport: EntraTransport = {
  httpClient: {
    async sendRequest(request) {
      const { pathname, search } = new URL(request.url)
      const { method, headers, body } = request
      const init = { method, headers: headers.toJSON(), ...(typeof body === 'string' && { body }) }
      const response = await fetch(entra.server.origin + pathname + search, init)
      const azureHeaders = request.headers
      for (const [name] of azureHeaders) azureHeaders.delete(name)
      for (const [name, value] of response.headers) azureHeaders.set(name, value)
      return { request, status: response.status, headers: azureHeaders, bodyAsText: await response.text() }
    },
  },
}

const mint = (identity: Partial<EntraIdentity>) =>
  mintEntraToken(
    { kind: 'entra', scope, ...application, ...identity },
    AbortSignal.timeout(10_000),
    transport,
  )

async function failureOf(identity: Partial<EntraIdentity>): Promise<CredentialFailure> {
  const failure: unknown = await mint(identity).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(CredentialFailure)
  return failure as CredentialFailure
}

describe('an application gets a token', () => {
  it('with its secret', async () => {
    entra.secrets = ['s3cret']
    const { value, livesMs, source } = await mint({ clientSecret: 's3cret' })
    expect([value, source]).toEqual(['entra-application-1', 'Entra: client secret'])
    expect(livesMs).toBeGreaterThan(3_000_000)
    const form = new URLSearchParams(entra.server.requests.at(-1)!.body)
    expect(form.get('scope')).toContain(scope)
    expect(form.get('client_id')).toBe('an-application')
  })

  it('with the secret that its file contains now', async () => {
    entra.secrets = ['first']
    const clientSecretFile = save('secret', 'first\n')
    expect((await mint({ clientSecretFile })).value).toBe('entra-application-1')
    entra.secrets = ['second']
    expect((await failureOf({ clientSecretFile })).hint).toMatch(/client secret is wrong/)
    save('secret', 'second\n')
    expect((await mint({ clientSecretFile })).value).toBe('entra-application-2')
  })

  it('with the certificate that its file contains now', async () => {
    const [first, second] = [selfSigned('first'), selfSigned('second')]
    entra.certificate = first.certificate
    const certificateFile = save('certificate.pem', first.pem)
    expect(await mint({ certificateFile })).toMatchObject({
      value: 'entra-application-1',
      source: 'Entra: certificate',
    })
    entra.certificate = second.certificate
    const { hint } = await failureOf({ certificateFile })
    expect(hint).toMatch(/certificate does not belong to the application/)
    save('certificate.pem', second.pem)
    expect((await mint({ certificateFile })).value).toBe('entra-application-2')
  })

  it('with the token of its workload', async () => {
    entra.workloads = ['a-workload-token']
    const tokenFile = save('workload', 'a-workload-token')
    expect(await mint({ tokenFile })).toMatchObject({
      value: 'entra-application-1',
      source: 'Entra: workload identity',
    })
  })

  it('and reports a token that has already expired', async () => {
    entra.secrets = ['s3cret']
    entra.server.fault = 'ended'
    const outcome = await mint({ clientSecret: 's3cret' }).catch((error: unknown) => error)
    if (outcome instanceof Error) expect(outcome).toBeInstanceOf(CredentialFailure)
    else expect((outcome as { livesMs: number }).livesMs).toBeLessThan(0)
  })
})

describe('a failure to get a token is reported with a hint', () => {
  it.each<CloudFault>(['reset', 'status-500', 'html', 'wrong-types', 'empty', 'redirect', 'huge'])(
    '%s',
    async (fault) => {
      entra.server.fault = fault
      const failure = await failureOf({ clientSecret: 's3cret' })
      expect(String(failure)).not.toContain('s3cret')
    },
  )

  it('if the file is not a certificate', async () => {
    const failure = await failureOf({ certificateFile: save('none.pem', 'no certificate') })
    expect(failure.hint).toMatch(/PEM/)
  })

  it('if the clock is wrong', async () => {
    const { certificate, pem } = selfSigned('late')
    entra.certificate = certificate
    const certificateFile = save('late.pem', pem)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 })
    const failure = await failureOf({ certificateFile }).finally(() => vi.useRealTimers())
    expect(failure.hint).toMatch(/clock/)
  })
})
