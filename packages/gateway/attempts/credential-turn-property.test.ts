import fc from 'fast-check'
import { expect, it } from 'vitest'
import { HandMadeToken, tokenWorld } from '../testing/token-world.ts'

const seed = Date.now() % 2 ** 31

/** What happens to the token before a request, during its call, and while the request waits for a token. */
type Event = 'nothing' | 'minted' | 'ended' | 'garbage'
const event = fc.constantFrom<Event>('nothing', 'minted', 'ended', 'garbage')
const request = fc.record({ before: event, within: event, waiting: event })

const livesMs = 60_000

function befall(token: HandMadeToken, what: Event, number: number): void {
  if (what === 'minted') token.mint(`good ${number}`, livesMs)
  else if (what === 'garbage') token.mint(`bad ${number}`, livesMs)
  else if (what === 'ended') token.advance(livesMs)
}

it(`keeps its guarantees whatever happens to a token (seed ${seed})`, async () => {
  const property = fc.asyncProperty(
    fc.array(request, { minLength: 1, maxLength: 12 }),
    fc.boolean(),
    fc.boolean(),
    async (requests, withKey, isPromise) => {
      const token = new HandMadeToken({ isPromise })
      const world = tokenWorld({ credential: token, withKey, takes: (proof) => !proof.includes('bad') })
      let number = 0
      for (const { before, within, waiting } of requests) {
        befall(token, before, number++)
        const [calls, waits] = [world.calls().length, token.waits.length]
        world.onCall = () => befall(token, within, number++)
        token.onWait = () => {
          befall(token, waiting, number++)
          // No token takes longer than this to mint.
          token.advance(2_000)
        }
        const answered = await world.ask().catch((error: { status: number }) => error.status)
        const made = world.calls().slice(calls)
        // A candidate that also has a key is always answered, without a wait.
        if (withKey) expect([answered, token.waits.length]).toEqual(['answered', waits])
        else expect(['answered', 502, 503]).toContain(answered)
        // No upstream is called twice with one token, or with more than two tokens.
        const tokens = made.filter((proof) => proof !== 'key sk-1')
        expect(new Set(tokens).size).toBe(tokens.length)
        expect(tokens.length).toBeLessThanOrEqual(2)
        expect(token.waits.slice(waits).every((ms) => ms <= 2_000)).toBe(true)
        if (answered === 'answered') expect(made.at(-1)).not.toContain('bad')
      }
      // A valid token repairs everything, whatever was in cooldown before.
      world.onCall = () => undefined
      token.mint('good at last', livesMs)
      expect(await world.ask()).toBe('answered')
      expect(world.calls().at(-1)).toBe('token good at last')
    },
  )
  await fc.assert(property, { seed, numRuns: 300 })
})
