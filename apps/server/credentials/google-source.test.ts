import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CredentialFailure } from '@turnpike/gateway'
import type { CloudFault } from '@turnpike/simulators/clouds/cloud-server'
import { GoogleIdentityServer } from '@turnpike/simulators/clouds/google-identity'
import type { GoogleIdentity } from '@turnpike/vendors'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { mintGoogleToken } from './google-source.ts'
import { cloudEnvironment } from './testing/cloud-environment.ts'

const { publicKey, privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2_048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const account = 'gateway@a-project.iam.gserviceaccount.com'
const serviceAccount = {
  type: 'service_account',
  project_id: 'a-project',
  private_key_id: 'k1',
  private_key: privateKey,
  client_email: account,
}
const folder = mkdtempSync(join(tmpdir(), 'turnpike-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

let google: GoogleIdentityServer
let environment: ReturnType<typeof cloudEnvironment>

beforeEach(async () => {
  google = new GoogleIdentityServer()
  google.publicKey = publicKey
  await google.server.listen()
  environment = cloudEnvironment({ GCE_METADATA_HOST: google.server.origin })
})
afterEach(async () => {
  environment.end()
  await google.server.close()
})

/** Sends the SDK's own requests to the simulator instead of Google's hosts. */
const hosts: string[] = []
const transport = {
  fetchImplementation: (address: string | URL | Request, init?: RequestInit) => {
    const { host, pathname, search } = new URL(address instanceof Request ? address.url : address)
    hosts.push(host)
    return fetch(google.server.origin + pathname + search, init)
  },
}
const mint = (identity: Partial<GoogleIdentity>) =>
  mintGoogleToken({ kind: 'google', ...identity }, transport)

describe('a Google token', () => {
  it('is issued to a service account whose JSON is in the configuration', async () => {
    const { value, livesMs, source } = await mint({ json: JSON.stringify(serviceAccount) })
    expect([value, source]).toEqual(['ya29.service-account-1', `Google: ${account}`])
    expect(livesMs).toBeGreaterThan(3_500_000)
  })

  it('is issued to a service account whose JSON is read from its file each time', async () => {
    const file = join(folder, 'account.json')
    writeFileSync(file, JSON.stringify(serviceAccount))
    expect((await mint({ file })).value).toBe('ya29.service-account-1')
    expect((await mint({ file })).value).toBe('ya29.service-account-2')
  })

  it("is requested only from Google, whatever address a service account's JSON contains", async () => {
    const token_uri = 'http://169.254.169.254/computeMetadata/v1/x'
    const elsewhere = { ...serviceAccount, token_uri, universe_domain: 'evil.example' }
    hosts.length = 0
    const { value } = await mint({ json: JSON.stringify(elsewhere) })
    expect(value).toMatch(/^ya29\.service-account-/)
    expect(new Set(hosts)).toEqual(new Set(['oauth2.googleapis.com']))
  })

  it('is issued to the machine by default', async () => {
    expect(await mint({})).toMatchObject({
      value: 'ya29.metadata-1',
      source: 'Google: application-default credentials',
    })
  })

  it('is issued to a workload of another cloud', async () => {
    const token = join(folder, 'subject')
    writeFileSync(token, 'a-subject-token')
    const json = JSON.stringify({
      type: 'external_account',
      audience: '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/q',
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      token_url: `${google.server.origin}/v1/token`,
      credential_source: { file: token },
    })
    expect(await mint({ json })).toMatchObject({
      value: 'ya29.workload-1',
      source: 'Google: workload identity',
    })
    const [exchange] = google.server.requests
    expect(exchange!.body).toContain('a-subject-token')
  })

  it('is issued for an impersonated service account', async () => {
    const json = JSON.stringify(serviceAccount)
    const { value, source } = await mint({ json, impersonate: 'other@a-project.iam.gserviceaccount.com' })
    expect(value).toMatch(/^ya29\.impersonated-/)
    expect(source).toBe('Google: other@a-project.iam.gserviceaccount.com')
  })
})

describe('a failure to get a Google token is reported with a hint', () => {
  it.each<CloudFault>(['reset', 'status-500', 'html', 'wrong-types', 'empty', 'redirect', 'huge'])(
    '%s',
    async (fault) => {
      google.server.fault = fault
      const failure = await mint({ json: JSON.stringify(serviceAccount) }).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(CredentialFailure)
      expect(String(failure)).not.toContain('PRIVATE KEY')
    },
  )

  it('if the key was revoked', async () => {
    google.refusal = { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' }
    const failure = await mint({ json: JSON.stringify(serviceAccount) }).catch((error: unknown) => error)
    expect((failure as CredentialFailure).hint).toMatch(/was revoked, or this machine's clock is wrong/)
  })

  it('if the token has already expired', async () => {
    google.server.fault = 'ended'
    expect((await mint({ json: JSON.stringify(serviceAccount) })).livesMs).toBeLessThan(0)
  })

  it.each(['{', '[]', '{"type":"service_account"}'])(
    'if the file is not the JSON of a credential: %s',
    async (json) => {
      const failure = await mint({ json }).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(CredentialFailure)
      expect((failure as CredentialFailure).hint).not.toBe('')
    },
  )
})
