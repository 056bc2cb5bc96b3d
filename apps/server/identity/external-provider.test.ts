import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { AuthDiscovery } from '@turnpike/http'
import * as client from 'openid-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../../tests/nodes/free-port.ts'
import { GatewayProcess } from '../../../tests/nodes/gateway-process.ts'
import { PageClient } from './testing/page-client.ts'

const resource = 'https://gateway.example/api'
const program = fileURLToPath(
  new URL('../../../packages/identity/testing/external-provider.ts', import.meta.url),
)

let issuer: string
let provider: ChildProcess
let gateway: GatewayProcess

beforeAll(async () => {
  const port = await freePort()
  issuer = `http://127.0.0.1:${port}`
  provider = spawn(process.execPath, [program, String(port), resource], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = once(provider, 'exit').then(([code]) => {
    throw new Error(`The provider ended with exit code ${code}.`)
  })
  await Promise.race([once(provider.stdout!, 'data'), ended])
  ended.catch(() => undefined) // The test itself stops it later.
  gateway = await GatewayProcess.create({
    identity: { name: 'theirs', issuer, client_id: 'gateway-cli', resource },
  })
})
afterAll(async () => {
  provider.kill()
  await gateway.remove()
})

/** The development pages of `oidc-provider` accept any name and password. */
test(
  'an external provider in a process of its own works with configuration alone',
  { timeout: 60_000 },
  async () => {
    const answer = await fetch(`${gateway.origin}/api/v1/auth/discovery`)
    const discovery = (await answer.json()) as AuthDiscovery
    expect(discovery).toMatchObject({ issuer, client_id: 'gateway-cli', resource })
    const execute = [client.allowInsecureRequests]
    const configuration = await client.discovery(
      new URL(discovery.issuer),
      discovery.client_id,
      undefined,
      client.None(),
      { execute },
    )
    const device = await client.initiateDeviceAuthorization(configuration, { scope: 'openid', resource })
    const tokens = client.pollDeviceAuthorizationGrant(
      configuration,
      { ...device, interval: 1 },
      { resource },
    )

    const pages = new PageClient()
    const entry = await pages.get(device.verification_uri)
    const confirmation = await pages.submit(entry, '/device', { user_code: device.user_code })
    let page = await pages.submit(confirmation, '/device')
    page = await pages.submit(page, '', { prompt: 'login', login: 'ada', password: 'any' })
    page = await pages.submit(page, '', { prompt: 'consent' })
    expect(page.text).toContain('Sign-in Success')

    const headers = { authorization: `Bearer ${(await tokens).access_token}` }
    const me = await fetch(`${gateway.origin}/api/v1/me`, { headers })
    expect(await me.json()).toMatchObject({
      theirs_sub: 'ada',
      email: 'ada@theirs.example',
      status: 'active',
    })
    const made = await fetch(`${gateway.origin}/api/v1/me/keys`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'laptop' }),
    })
    expect(made.status).toBe(201)
  },
)
