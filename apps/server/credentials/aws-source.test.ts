import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CredentialFailure } from '@turnpike/gateway'
import { AwsMetadata } from '@turnpike/simulators/clouds/aws-metadata'
import type { CloudFault } from '@turnpike/simulators/clouds/cloud-server'
import { Sts } from '@turnpike/simulators/clouds/sts'
import type { AwsIdentity } from '@turnpike/vendors'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { mintAwsKeys } from './aws-source.ts'
import { cloudEnvironment } from './testing/cloud-environment.ts'

const region = 'eu-west-1'
const nowMs = Date.now()
const hourMs = 3_600_000
const role = 'arn:aws:iam::123456789012:role/turnpike'

let metadata: AwsMetadata
let sts: Sts
let environment: ReturnType<typeof cloudEnvironment>

beforeEach(async () => {
  metadata = new AwsMetadata()
  sts = new Sts()
  await Promise.all([metadata.server.listen(), sts.server.listen()])
})
afterEach(async () => {
  environment.end()
  await Promise.all([metadata.server.close(), sts.server.close()])
})

function within(variables: Record<string, string> = {}): void {
  environment = cloudEnvironment({ AWS_ENDPOINT_URL_STS: sts.server.origin, ...variables })
}

const mint = (identity: Partial<AwsIdentity> = {}) =>
  mintAwsKeys({ kind: 'aws', region, ...identity }, { region, now: () => nowMs })

const written = { AWS_ACCESS_KEY_ID: 'AKIAENVIRONMENT', AWS_SECRET_ACCESS_KEY: 'environment-secret' }

describe('the source of AWS keys', () => {
  it('is the environment', async () => {
    within(written)
    expect(await mint()).toEqual({
      value: { accessKeyId: 'AKIAENVIRONMENT', secretAccessKey: 'environment-secret' },
      livesMs: null,
      source: 'AWS: environment',
    })
  })

  it('is a profile, read from its file each time', async () => {
    within(written)
    const save = (secret: string) =>
      writeFileSync(
        join(environment.home, 'credentials'),
        `[prod]\naws_access_key_id = AKIAPROFILE\naws_secret_access_key = ${secret}\n`,
      )
    save('one')
    expect(await mint({ profile: 'prod' })).toMatchObject({
      value: { accessKeyId: 'AKIAPROFILE', secretAccessKey: 'one' },
      source: 'AWS: profile',
    })
    save('two')
    expect((await mint({ profile: 'prod' })).value.secretAccessKey).toBe('two')
  })

  it('is the role of a profile', async () => {
    within()
    writeFileSync(
      join(environment.home, 'credentials'),
      '[base]\naws_access_key_id = AKIABASE\naws_secret_access_key = base-secret\n',
    )
    writeFileSync(
      join(environment.home, 'config'),
      `[profile prod]\nrole_arn = ${role}\nsource_profile = base\nregion = ${region}\n`,
    )
    const minted = await mint({ profile: 'prod' })
    expect(minted).toMatchObject({
      value: { secretAccessKey: 'sts-secret-1', sessionToken: 'sts-session-token-1' },
      source: 'AWS: role',
    })
    expect(sts.forms).toMatchObject([{ Action: 'AssumeRole', RoleArn: role }])
  })

  it('is the role in the configuration, with its external id', async () => {
    within(written)
    const minted = await mint({ roleArn: role, externalId: 'customer-7', sessionName: 'gateway' })
    expect(minted.source).toBe('AWS: role')
    expect(minted.livesMs).toBeGreaterThan(hourMs - 10_000)
    expect(minted.livesMs).toBeLessThanOrEqual(hourMs + 10_000)
    expect(sts.forms).toMatchObject([
      { Action: 'AssumeRole', RoleArn: role, ExternalId: 'customer-7', RoleSessionName: 'gateway' },
    ])
  })

  it('is web identity, with the token read from its file each time', async () => {
    within()
    const file = join(environment.home, 'token')
    writeFileSync(file, 'first')
    const identity = { roleArn: role, webIdentityTokenFile: file }
    expect(await mint(identity)).toMatchObject({ source: 'AWS: role by web identity' })
    writeFileSync(file, 'second')
    const { value } = await mint(identity)
    expect(value.sessionToken).toBe('sts-session-token-2')
    expect(sts.forms.map((form) => form['WebIdentityToken'])).toEqual(['first', 'second'])
  })

  it('is web identity from the environment, as in a pod of EKS', async () => {
    within({ AWS_ROLE_ARN: role })
    const file = join(environment.home, 'token')
    writeFileSync(file, 'pod')
    process.env['AWS_WEB_IDENTITY_TOKEN_FILE'] = file
    expect((await mint()).source).toBe('AWS: role by web identity')
    delete process.env['AWS_WEB_IDENTITY_TOKEN_FILE']
  })

  it('is the role of a container', async () => {
    within({
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${metadata.server.origin}/container`,
      AWS_CONTAINER_AUTHORIZATION_TOKEN: 'container-token',
    })
    const { value, source } = await mint()
    expect([value.accessKeyId, source]).toEqual([
      metadata.given[0]!.AccessKeyId,
      'AWS: role of the container',
    ])
  })

  it('is the role of an instance', async () => {
    within({ AWS_EC2_METADATA_SERVICE_ENDPOINT: metadata.server.origin })
    const { value, source, livesMs } = await mint()
    expect([value.sessionToken, source]).toEqual([metadata.given[0]!.Token, 'AWS: role of the instance'])
    expect(livesMs).toBeGreaterThan(hourMs - 10_000)
  })
})

const faults: CloudFault[] = ['silent', 'reset', 'status-500', 'html', 'wrong-types', 'empty']

describe('a failure to get AWS keys is reported with a hint', () => {
  it.each(faults)('if the metadata server fails: %s', async (fault) => {
    within({ AWS_EC2_METADATA_SERVICE_ENDPOINT: metadata.server.origin })
    metadata.server.fault = fault
    const failure = await mint().catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(CredentialFailure)
    expect((failure as CredentialFailure).hint).not.toBe('')
  })

  it.each(faults)('if STS fails: %s', async (fault) => {
    within(written)
    sts.server.fault = fault
    const failure = await mint({ roleArn: role }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(CredentialFailure)
    expect(String(failure)).not.toContain('environment-secret')
    expect((failure as CredentialFailure).hint).not.toBe('')
  })

  it.each([
    ['AccessDenied', 403, 'User is not authorized to perform: sts:AssumeRole on resource', /trust policy/],
    ['InvalidClientTokenId', 403, 'The security token included in the request is invalid.', /access keys/],
    ['Throttling', 400, 'Rate exceeded', /rate limiting/],
    ['RegionDisabledException', 403, 'STS is not activated in this region', /disabled/],
  ])('if STS responds with %s', async (code, status, message, hint) => {
    within(written)
    sts.refusal = { status, code, message }
    const failure = await mint({ roleArn: role }).catch((error: unknown) => error)
    expect((failure as CredentialFailure).hint).toMatch(hint)
  })

  it('if the profile does not exist, even on a machine with a role', async () => {
    within({ AWS_EC2_METADATA_SERVICE_ENDPOINT: metadata.server.origin })
    const failure = await mint({ profile: 'prdo' }).catch((error: unknown) => error)
    expect((failure as CredentialFailure).hint).toMatch(/check aws\.profile/)
    expect(metadata.server.requests).toEqual([])
  })

  it.each(['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'])(
    'if a header cannot contain the value of %s',
    async (name) => {
      within({ ...written, [name]: 'a\nb' })
      const failure = await mint().catch((error: unknown) => error)
      expect((failure as CredentialFailure).message).toBe('the response contains no keys')
    },
  )

  it('if no source has keys', async () => {
    within({ AWS_EC2_METADATA_DISABLED: 'true' })
    const failure = await mint().catch((error: unknown) => error)
    expect((failure as CredentialFailure).hint).toMatch(/no AWS credentials were found/)
  })

  it('if the keys have already expired', async () => {
    within({
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${metadata.server.origin}/container`,
      AWS_CONTAINER_AUTHORIZATION_TOKEN: 'container-token',
    })
    metadata.server.fault = 'ended'
    const outcome = await mint().then(
      ({ livesMs }) => livesMs,
      () => -1,
    )
    expect(outcome).toBeLessThan(0)
  })
})
