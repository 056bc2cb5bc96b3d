import { describe, expect, it } from 'vitest'
import { HandMadeToken, tokenWorld } from '../testing/token-world.ts'

const hint = 'run this on an instance'

describe('a token that is good', () => {
  it('is sent at once, and nobody waits for another one', async () => {
    const world = tokenWorld()
    world.token.mint('one', 60_000)
    expect(await world.ask()).toBe('answered')
    expect([world.calls(), world.token.waits, world.results()]).toEqual([['token one'], [], ['ok']])
  })

  it('is still sent while a new one is slow, until its end', async () => {
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

describe('where there is no token', () => {
  it('the next candidate is asked, and nobody waits', async () => {
    const world = tokenWorld({ withKey: true })
    expect(await world.ask()).toBe('answered')
    expect([world.calls(), world.token.waits]).toEqual([['key sk-1'], []])
    expect(world.results()).toEqual(['no-credential', 'ok'])
  })

  it('a lone upstream’s is waited for, and the request is the one that was sent', async () => {
    const world = tokenWorld()
    world.token.onWait = () => world.token.mint('late', 60_000)
    expect(await world.ask()).toBe('answered')
    expect([world.calls(), world.results()]).toEqual([['token late'], ['no-credential', 'ok']])
    expect(world.bodies()[0]).toMatchObject({ messages: [{ role: 'user', content: 'x' }] })
  })

  it('nor in time, the caller is told so in two seconds, and only the log why', async () => {
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

  it('nobody waits longer than a connection may take', async () => {
    const world = tokenWorld({ connectMs: 300 })
    world.token.onWait = () => world.token.advance(300)
    await world.askFailing()
    expect(world.token.waits).toEqual([300])
  })

  it('it is waited for once all others have failed, whoever of them was last', async () => {
    const world = tokenWorld({ withKey: true, keyAnswers: 500 })
    world.token.onWait = () => world.token.mint('late', 60_000)
    expect(await world.ask()).toBe('answered')
    expect(world.calls()).toEqual(['key sk-1', 'token late'])
    expect(world.results()).toEqual(['no-credential', 'status-500', 'ok'])
  })

  it('nothing is held against the upstream', async () => {
    const world = tokenWorld()
    world.token.onWait = () => world.token.advance(2_000)
    for (let request = 0; request < 9; request++) await world.askFailing()
    world.token.mint('one', 60_000)
    expect(await world.ask()).toBe('answered')
  })

  it('a caller who left while it was waited for is not answered', async () => {
    const world = tokenWorld()
    world.token.onWait = () => {
      world.leave()
      world.token.mint('late', 60_000)
    }
    expect((await world.askFailing()).status).toBe(499)
    expect(world.calls()).toEqual([])
  })
})

describe('a token that is refused', () => {
  it('and was renewed meanwhile, is no reason to rest: it is asked once more with the new one', async () => {
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

  it('leaves the request to others, and rests until there is another one', async () => {
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

  it('of a lone upstream, is replaced while the request waits', async () => {
    const world = tokenWorld({ good: 'two' })
    world.token.mint('one', 60_000)
    world.token.onWait = () => world.token.mint('two', 60_000)
    expect(await world.ask()).toBe('answered')
    expect(world.calls()).toEqual(['token one', 'token two'])
  })

  it('and all that are minted after it, is asked with twice at most', async () => {
    const world = tokenWorld({ good: 'none of them' })
    let minted = 0
    world.token.mint('garbage', 60_000)
    world.onCall = () => world.token.mint(`garbage ${minted++}`, 60_000)
    const error = await world.askFailing()
    expect(error).toMatchObject({ status: 502, reason: 'key-refused' })
    expect(world.calls()).toEqual(['token garbage', 'token garbage 0'])
  })

  it('is not sent again where no other one comes', async () => {
    const world = tokenWorld({ good: 'two' })
    world.token.mint('one', 60_000)
    world.token.onWait = () => world.token.advance(2_000)
    expect((await world.askFailing()).message).toBe("The upstream rejected the gateway's own credential.")
    expect(world.calls()).toEqual(['token one'])
  })

  it('is told to no caller, as little as the one before it', async () => {
    const world = tokenWorld({ says: 'no such token: one-secret, nor two-secret', refusesWith: 400 })
    world.token.mint('one-secret', 60_000)
    world.token.mint('two-secret', 60_000)
    expect((await world.askFailing()).message).toBe('no such token: [redacted], nor [redacted]')
  })
})

describe('a provider in several regions', () => {
  it('is asked in the next one where one is at its limits, which rests alone', async () => {
    const world = tokenWorld({ regions: ['east', 'west'], busy: ['east'] })
    world.token.mint('one', 60_000)
    await world.ask()
    await world.ask()
    expect(world.regions()).toEqual(['east status-429', 'west ok', 'east resting', 'west ok'])
    expect(new Set(world.origins())).toEqual(new Set(['https://east.cloud.test', 'https://west.cloud.test']))
  })

  it('rests in all of them where its token is refused, and until there is another one', async () => {
    const world = tokenWorld({ regions: ['east', 'west'], good: 'two' })
    world.token.mint('one', 60_000)
    world.token.onWait = () => world.token.mint('two', 60_000)
    expect(await world.ask()).toBe('answered')
    expect(world.regions()).toEqual(['east status-401', 'west resting', 'east ok'])
  })
})

it('a signature is awaited, and is of all that is sent', async () => {
  const world = tokenWorld({ credential: new HandMadeToken({ isPromise: true }) })
  world.token.mint('one', 60_000)
  expect(await world.ask()).toBe('answered')
  expect(world.calls()).toEqual(['token one'])
  expect(world.token.signed[0]).toMatchObject({ path: '/v1/chat/completions', method: 'POST' })
})
