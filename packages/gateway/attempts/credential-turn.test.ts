import { describe, expect, it } from 'vitest'
import { HandMadeToken, tokenWorld } from '../testing/token-world.ts'

const hint = 'run this on an instance'

describe('a valid token', () => {
  it('is sent at once, without waiting for another one', async () => {
    const world = tokenWorld()
    world.token.mint('one', 60_000)
    expect(await world.ask()).toBe('answered')
    expect([world.calls(), world.token.waits, world.results()]).toEqual([['token one'], [], ['ok']])
  })

  it('is sent until it expires while a new one is slow to arrive', async () => {
    const world = tokenWorld()
    world.token.mint('one', 60_000)
    world.token.advance(59_999)
    await world.ask()
    world.token.advance(1)
    world.token.onWait = () => world.token.advance(2_000)
    await world.askFailing()
    expect([world.calls(), world.token.waits]).toEqual([['token one'], [2_000]])
  })
})

describe('without a token', () => {
  it('the next candidate is called without a wait', async () => {
    const world = tokenWorld({ withKey: true })
    expect(await world.ask()).toBe('answered')
    expect([world.calls(), world.token.waits]).toEqual([['key sk-1'], []])
    expect(world.results()).toEqual(['no-credential', 'ok'])
  })

  it('the request waits for a lone upstream’s token and then goes out unchanged', async () => {
    const world = tokenWorld()
    world.token.onWait = () => world.token.mint('late', 60_000)
    expect(await world.ask()).toBe('answered')
    expect([world.calls(), world.results()]).toEqual([['token late'], ['no-credential', 'ok']])
    expect(world.bodies()[0]).toMatchObject({ messages: [{ role: 'user', content: 'x' }] })
  })

  it('the caller gets an error within two seconds if none arrives, and only the log says why', async () => {
    const world = tokenWorld()
    world.token.onWait = () => {
      world.token.fails = { failure: 'no metadata server', hint }
      world.token.advance(2_000)
    }
    const error = await world.askFailing()
    expect(error).toMatchObject({ status: 502, type: 'upstream_error', retryable: true })
    expect(error.message).toBe('The gateway has no credential for this upstream at the moment.')
    expect(error.detail).toContain('no metadata server')
    expect(error.detail).toContain(hint)
    expect([world.calls(), world.token.waits]).toEqual([[], [2_000]])
  })

  it('the request waits no longer than the connect timeout', async () => {
    const world = tokenWorld({ connectMs: 300 })
    world.token.onWait = () => world.token.advance(300)
    await world.askFailing()
    expect(world.token.waits).toEqual([300])
  })

  it('the request waits once all other candidates have failed, whichever failed last', async () => {
    const world = tokenWorld({ withKey: true, keyAnswers: 500 })
    world.token.onWait = () => world.token.mint('late', 60_000)
    expect(await world.ask()).toBe('answered')
    expect(world.calls()).toEqual(['key sk-1', 'token late'])
    expect(world.results()).toEqual(['no-credential', 'status-500', 'ok'])
  })

  it('the upstream’s health does not change', async () => {
    const world = tokenWorld()
    world.token.onWait = () => world.token.advance(2_000)
    for (let request = 0; request < 9; request++) await world.askFailing()
    world.token.mint('one', 60_000)
    expect(await world.ask()).toBe('answered')
  })

  it('a client that left during the wait gets no answer', async () => {
    const world = tokenWorld()
    world.token.onWait = () => {
      world.leave()
      world.token.mint('late', 60_000)
    }
    expect((await world.askFailing()).status).toBe(499)
    expect(world.calls()).toEqual([])
  })
})

describe('a rejected token', () => {
  it('that was renewed meanwhile starts no cooldown: the call is repeated with the new token', async () => {
    const world = tokenWorld({ good: 'two' })
    world.token.mint('one', 60_000)
    world.onCall = () => world.token.mint('two', 60_000)
    expect(await world.ask()).toBe('answered')
    expect([world.calls(), world.results()]).toEqual([
      ['token one', 'token two'],
      ['status-401', 'ok'],
    ])
    expect(world.bodies()[1]).toEqual(world.bodies()[0])
    expect(world.token.refusals[0]).toMatchObject({
      errorType: 'ExpiredTokenException',
      dateHeader: 'Mon, 23 Nov 2026 12:00:00 GMT',
    })
  })

  it('sends the request to other candidates, and is in cooldown until there is a new token', async () => {
    const world = tokenWorld({ good: 'two', withKey: true })
    world.token.mint('one', 60_000)
    await world.ask()
    await world.ask()
    expect(world.results()).toEqual(['status-401', 'ok', 'resting', 'ok'])
    world.token.mint('two', 60_000)
    await world.ask()
    expect(world.calls()).toEqual(['token one', 'key sk-1', 'key sk-1', 'token two'])
    expect(world.token.waits).toEqual([])
  })

  it('of a lone upstream is replaced while the request waits', async () => {
    const world = tokenWorld({ good: 'two' })
    world.token.mint('one', 60_000)
    world.token.onWait = () => world.token.mint('two', 60_000)
    expect(await world.ask()).toBe('answered')
    expect(world.calls()).toEqual(['token one', 'token two'])
  })

  it('leads to at most two calls, however many tokens are minted after it', async () => {
    const world = tokenWorld({ good: 'none of them' })
    let minted = 0
    world.token.mint('garbage', 60_000)
    world.onCall = () => world.token.mint(`garbage ${minted++}`, 60_000)
    const error = await world.askFailing()
    expect(error).toMatchObject({ status: 502, reason: 'key-refused' })
    expect(world.calls()).toEqual(['token garbage', 'token garbage 0'])
  })

  it('is not sent again if no new one arrives', async () => {
    const world = tokenWorld({ good: 'two' })
    world.token.mint('one', 60_000)
    world.token.onWait = () => world.token.advance(2_000)
    expect((await world.askFailing()).message).toBe("The upstream rejected the gateway's own credential.")
    expect(world.calls()).toEqual(['token one'])
  })

  it('is never shown to a caller, and neither is the one before it', async () => {
    const world = tokenWorld({ says: 'no such token: one-secret, nor two-secret', refusesWith: 400 })
    world.token.mint('one-secret', 60_000)
    world.token.mint('two-secret', 60_000)
    expect((await world.askFailing()).message).toBe('no such token: [redacted], nor [redacted]')
  })
})

describe('a provider with several regions', () => {
  it('tries the next region if one is at its limits, and puts only that one into cooldown', async () => {
    const world = tokenWorld({ regions: ['east', 'west'], busy: ['east'] })
    world.token.mint('one', 60_000)
    await world.ask()
    await world.ask()
    expect(world.regions()).toEqual(['east status-429', 'west ok', 'east resting', 'west ok'])
    expect(new Set(world.origins())).toEqual(new Set(['https://east.cloud.test', 'https://west.cloud.test']))
  })

  it('is in cooldown in all regions if its token is rejected, until there is a new token', async () => {
    const world = tokenWorld({ regions: ['east', 'west'], good: 'two' })
    world.token.mint('one', 60_000)
    world.token.onWait = () => world.token.mint('two', 60_000)
    expect(await world.ask()).toBe('answered')
    expect(world.regions()).toEqual(['east status-401', 'west resting', 'east ok'])
  })
})

it('waits for a signature, which covers everything that is sent', async () => {
  const world = tokenWorld({ credential: new HandMadeToken({ isPromise: true }) })
  world.token.mint('one', 60_000)
  expect(await world.ask()).toBe('answered')
  expect(world.calls()).toEqual(['token one'])
  expect(world.token.signed[0]).toMatchObject({ path: '/v1/chat/completions', method: 'POST' })
})
