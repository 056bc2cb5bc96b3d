import { afterEach, describe, expect, test } from 'vitest'
import { openNetwork } from '../network/network.ts'
import { deviceFlow, FakeServer, type Answer } from '../testing/fake-server.ts'
import { authorizeDevice, waitForTokens } from './device-flow.ts'
import type { Discovery } from './discovery.ts'
import type { Tokens } from './oauth.ts'

let server: FakeServer
const { signal } = new AbortController()
const network = openNetwork({}, () => 5_000, 'test', signal)

afterEach(() => server.stop())

const refused = (error: string): Answer => ({ status: 400, body: { error } })
const granted: Answer = { body: { access_token: 'token', refresh_token: 'refresh', expires_in: 3600 } }

/** Polls with a fake clock; resolves with the tokens and the pauses between polls, in seconds. */
async function flow(device: object, answers: Answer[]): Promise<{ tokens: Tokens; pauses: number[] }> {
  server = await FakeServer.start({ 'POST /token': answers })
  Object.assign(
    server.answers,
    deviceFlow(() => server.origin, device),
  )
  const discovery: Discovery = {
    issuer: server.origin,
    clientId: 'cli',
    deviceAuthorizationEndpoint: `${server.origin}/device`,
    tokenEndpoint: `${server.origin}/token`,
    scope: 'openid',
    resource: 'https://gateway.test',
  }
  const pauses: number[] = []
  let nowMs = 1_000_000
  const authorization = await authorizeDevice(network, discovery)
  const tokens = await waitForTokens(network, discovery, authorization, {
    clock: () => nowMs,
    sleep: async (milliseconds) => {
      pauses.push(milliseconds / 1000)
      nowMs += milliseconds
    },
  })
  return { tokens, pauses }
}

describe('polling (RFC 8628, section 3.5)', () => {
  test('keeps the issuer’s interval, and adds five seconds after each slow_down', async () => {
    const pending = refused('authorization_pending')
    const answers = [pending, refused('slow_down'), pending, refused('slow_down'), granted]
    const { tokens, pauses } = await flow({ interval: 3, expires_in: 600 }, answers)
    expect(pauses).toEqual([3, 3, 8, 8, 13])
    expect(tokens).toEqual({ accessToken: 'token', refreshToken: 'refresh', expiresAt: 1_000 + 35 + 3600 })
  })

  test('happens every five seconds if the issuer names no interval', async () => {
    expect((await flow({ interval: undefined }, [granted])).pauses).toEqual([5])
  })

  test('sends what the discovery document says, including the resource', async () => {
    await flow({}, [granted])
    const [device, token] = server.seen.map(({ body }) => Object.fromEntries(new URLSearchParams(body)))
    expect(device).toEqual({ client_id: 'cli', scope: 'openid', resource: 'https://gateway.test' })
    expect(token).toEqual({
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: 'device code',
      client_id: 'cli',
      resource: 'https://gateway.test',
    })
  })

  test('continues if a poll fails on the network, but not for ever', async () => {
    const broken: Answer = (request) => request.socket.destroy()
    const { pauses } = await flow({ interval: 1 }, [
      broken,
      { status: 502, body: 'bad gateway' },
      broken,
      granted,
    ])
    expect(pauses).toHaveLength(4)
    await server.stop()
    await expect(flow({ interval: 1 }, [broken])).rejects.toMatchObject({ exitCode: 2 })
  })

  test('ends exactly when the code expires', async () => {
    await expect(
      flow({ interval: 7, expires_in: 20 }, [refused('authorization_pending')]),
    ).rejects.toMatchObject({
      exitCode: 3,
      message: 'The code expired before anyone signed in.',
    })
    expect(server.seen.filter(({ path }) => path === '/token')).toHaveLength(2)
  })

  test('accepts errors with status 200, as some issuers send', async () => {
    await expect(flow({}, [{ body: { error: 'access_denied' } }])).rejects.toMatchObject({ exitCode: 3 })
  })

  test.each([
    [{ verification_uri: 'file:///etc/passwd' }],
    [{ verification_uri_complete: 'javascript:alert(1)' }],
    [{ user_code: undefined }],
    [{ device_code: 7 }],
  ])('does not start with %j', async (device) => {
    await expect(flow(device, [granted])).rejects.toMatchObject({ exitCode: 3 })
  })

  test.each([[{ access_token: 'a\nb' }], [{ access_token: 7 }], [{}]])(
    'takes no token from %j',
    async (body) => {
      await expect(flow({}, [{ body }])).rejects.toMatchObject({ exitCode: 3 })
    },
  )
})
