import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CredentialFailure } from './credential.ts'
import type { MintTimers } from './mint-timers.ts'
import { MintedSecret, type Minted } from './minted-secret.ts'

const minute = 60_000

/** A clock that the test advances. */
class TestTimers implements MintTimers {
  #nowMs = 0
  readonly pending = new Set<{ atMs: number; call: () => void }>()

  nowMs(): number {
    return this.#nowMs
  }

  after(ms: number, call: () => void): () => void {
    const timer = { atMs: this.#nowMs + ms, call }
    this.pending.add(timer)
    return () => void this.pending.delete(timer)
  }

  /** Runs everything that falls due in this time, in order. */
  async pass(ms: number, look: () => void = () => undefined): Promise<void> {
    const untilMs = this.#nowMs + ms
    for (;;) {
      const [next] = [...this.pending].toSorted((a, b) => a.atMs - b.atMs)
      if (next === undefined || next.atMs > untilMs) break
      this.#nowMs = next.atMs
      this.pending.delete(next)
      next.call()
      await settled()
      look()
    }
    this.#nowMs = untilMs
    await settled()
    look()
  }
}

/** Lets pending promises settle. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 12; turn++) await Promise.resolve()
}

type Behaviour =
  | { kind: 'gives'; tookMs: number; livesMs: number | null }
  | { kind: 'refuses'; tookMs: number }
  | { kind: 'hangs' }
  | { kind: 'throws' }

interface Value {
  name: string
  endsAtMs: number
}

/** A scripted source, one behaviour after the other, and the secret that it mints. */
class World {
  readonly timers = new TestTimers()
  readonly mintedValues: Value[] = []
  readonly troubles: (string | null)[] = []
  readonly #behaviours: Behaviour[]
  readonly #open = new Set<AbortSignal>()
  minted = 0
  mostAtOnce = 0
  renewals = 0
  readonly secret: MintedSecret<Value>

  constructor(behaviours: Behaviour[], random = () => 0.5) {
    this.#behaviours = behaviours
    this.secret = new MintedSecret<Value>({
      source: 'a test',
      mint: (signal) => this.#mint(signal),
      secretsOf: ({ name }) => [name],
      onTrouble: (failure) => this.troubles.push(failure?.message ?? null),
      timers: this.timers,
      random,
    })
    this.secret.onRenewed(() => this.renewals++)
  }

  #mint(signal: AbortSignal): Promise<Minted<Value>> {
    const behaviour = this.#behaviours[this.minted++ % this.#behaviours.length]!
    const name = `v${this.minted}`
    const begunAtMs = this.timers.nowMs()
    if (behaviour.kind === 'throws') throw new Error('it threw')
    this.#open.add(signal)
    const open = [...this.#open].filter(({ aborted }) => !aborted)
    this.mostAtOnce = Math.max(this.mostAtOnce, open.length)
    return new Promise((resolve, reject) => {
      if (behaviour.kind === 'hangs') return
      this.timers.after(behaviour.tookMs, () => {
        this.#open.delete(signal)
        if (behaviour.kind === 'refuses') return reject(new Error('it was refused'))
        const { livesMs } = behaviour
        const value = { name, endsAtMs: livesMs === null ? Infinity : begunAtMs + livesMs }
        if (!signal.aborted && value.endsAtMs > this.timers.nowMs()) this.mintedValues.push(value)
        resolve({ value, livesMs })
      })
    })
  }
}

const gives = (livesMs: number | null, tookMs = 100): Behaviour => ({ kind: 'gives', tookMs, livesMs })
const refuses: Behaviour = { kind: 'refuses', tookMs: 100 }
const hangs: Behaviour = { kind: 'hangs' }

describe('a minted secret', () => {
  it('is renewed before it expires, without a gap for requests', async () => {
    const world = new World([gives(60 * minute)])
    world.secret.start()
    await world.timers.pass(100)
    const first = world.secret.current()
    await world.timers.pass(47 * minute)
    expect(world.secret.current()).toBe(first)
    await world.timers.pass(2 * minute)
    expect(world.secret.current()?.name).toBe('v2')
    expect(world.renewals).toBe(2)
    expect(world.secret.secrets()).toEqual(['v2', 'v1'])
  })

  it('stays in use until it expires while its renewal fails', async () => {
    const world = new World([gives(60 * minute), ...Array.from({ length: 50 }, () => refuses)])
    world.secret.start()
    await world.timers.pass(59 * minute)
    expect(world.secret.current()?.name).toBe('v1')
    expect(world.secret.state()).toMatchObject({ state: 'failing', failure: expect.any(String) })
    await world.timers.pass(minute)
    expect(world.secret.current()).toBeUndefined()
    expect(world.secret.state().state).toBe('absent')
  })

  it('logs a failure once, and its recovery once', async () => {
    const world = new World([refuses, refuses, refuses, gives(60 * minute)])
    world.secret.start()
    await world.timers.pass(minute)
    expect(world.troubles).toEqual(['it was refused', null])
  })

  it('abandons an issuer that does not respond, and retries', async () => {
    const world = new World([hangs, gives(60 * minute)])
    world.secret.start()
    await world.timers.pass(10_000)
    expect(world.troubles).toEqual(['no answer within 10 s'])
    await world.timers.pass(2_000)
    expect(world.secret.current()?.name).toBe('v2')
  })

  it.each([0, -60 * minute, Number.NaN])('rejects a new secret that lives %d ms', async (livesMs) => {
    const world = new World([gives(livesMs)])
    world.secret.start()
    await world.timers.pass(200)
    expect(world.secret.current()).toBeUndefined()
    expect(world.troubles).toEqual(['the credential that was issued has already expired'])
  })

  it('is held back after a rejection while another is minted, and used again if none is better', async () => {
    const world = new World([gives(60 * minute), hangs, gives(60 * minute)])
    world.secret.start()
    await world.timers.pass(minute)
    world.secret.markRefused()
    expect(world.secret.current()).toBeUndefined()
    await world.timers.pass(10_000)
    // The issuer gives the same one, so the rejection may have been the vendor's mistake.
    expect(world.secret.current()?.name).toBe('v1')
    await world.timers.pass(3_000)
    expect(world.secret.current()?.name).toBe('v3')
  })

  it('is minted at most every ten seconds because of rejections', async () => {
    const world = new World([gives(60 * minute, 1)])
    world.secret.start()
    await world.timers.pass(minute)
    for (let call = 0; call < 100; call++) {
      world.secret.markRefused()
      await world.timers.pass(200)
    }
    expect(world.minted).toBe(1 + 2)
  })

  it('is minted again if its file changes while it is being minted', async () => {
    const world = new World([gives(60 * minute)])
    world.secret.start()
    world.secret.renew()
    await world.timers.pass(1_000)
    expect(world.secret.current()?.name).toBe('v2')
  })

  it('ends the waits of requests at once if the next attempt is later than they wait', async () => {
    const world = new World([refuses])
    world.secret.start()
    await world.timers.pass(4_000)
    // Tried at 0, 1.1 and 3.2 s, and once more now, since a request waits.
    const first = world.secret.ready(2_000)
    first.catch(() => undefined)
    await world.timers.pass(200)
    await expect(first).rejects.toThrow('it was refused')
    expect(world.minted).toBe(4)
    // The next attempt is at 12.1 s.
    await expect(world.secret.ready(2_000)).rejects.toThrow('it was refused')
    const later = world.secret.ready(9_000)
    let waitError: unknown
    later.catch((error: unknown) => (waitError = error))
    await world.timers.pass(7_000)
    expect(waitError).toBeUndefined()
    await world.timers.pass(1_500)
    expect(waitError).toBeInstanceOf(CredentialFailure)
  })

  it('leaves no request waiting once closed', async () => {
    const world = new World([hangs])
    world.secret.start()
    const waiting = world.secret.ready(60_000)
    world.secret.close()
    await expect(waiting).rejects.toThrow('the gateway is stopping')
    expect(world.timers.pending.size).toBe(0)
  })
})

const someBehaviour: fc.Arbitrary<Behaviour> = fc.oneof(
  fc.record({
    kind: fc.constant('gives' as const),
    tookMs: fc.integer({ min: 0, max: 15_000 }),
    livesMs: fc.oneof(
      fc.constantFrom(null, 0, -minute, Number.NaN, 1, 500, 15 * minute, 60 * minute, 12 * 60 * minute),
      fc.integer({ min: 1, max: 120 * minute }),
    ),
  }),
  fc.record({ kind: fc.constant('refuses' as const), tookMs: fc.integer({ min: 0, max: 15_000 }) }),
  fc.constant<Behaviour>({ kind: 'hangs' }),
  fc.constant<Behaviour>({ kind: 'throws' }),
)

const someStep = fc.oneof(
  fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 0, max: 20 * minute }) }),
  fc.record({ kind: fc.constant('ready' as const), ms: fc.integer({ min: 1, max: 20_000 }) }),
  fc.constant({ kind: 'refused' as const, ms: 0 }),
  fc.constant({ kind: 'file' as const, ms: 0 }),
)

it('returns a valid secret and never an expired one, in any order of events', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(someBehaviour, { minLength: 1, maxLength: 12 }),
      fc.array(someStep, { minLength: 1, maxLength: 30 }),
      fc.float({ min: 0, max: 1, noNaN: true }),
      async (behaviours, steps, random) => {
        const world = new World(behaviours, () => random)
        const { secret, timers } = world
        const refused = new Set<string>()
        const look = (): void => {
          const now = secret.current()
          if (now !== undefined) expect(now.endsAtMs).toBeGreaterThan(timers.nowMs())
          const newest = world.mintedValues.at(-1)
          const isGood = newest !== undefined && newest.endsAtMs > timers.nowMs()
          if (isGood && !refused.has(newest.name)) expect(now).toBe(newest)
          expect(world.mostAtOnce).toBeLessThanOrEqual(1)
        }
        const waits: Promise<string>[] = []
        secret.start()
        for (const { kind, ms } of steps) {
          if (kind === 'pass') await timers.pass(ms, look)
          else if (kind === 'ready')
            waits.push(
              secret.ready(ms).then(
                () => secret.current()?.name ?? 'nothing',
                () => 'failed',
              ),
            )
          else if (kind === 'file') secret.renew()
          else {
            const newest = world.mintedValues.at(-1)
            if (newest !== undefined) refused.add(newest.name)
            secret.markRefused()
          }
          await settled()
          look()
        }
        // No request waits longer than its limit, and one that is told of a secret finds it.
        await timers.pass(20_000, look)
        expect(await Promise.all(waits)).not.toContain('nothing')
        secret.close()
        const asked = world.minted
        await timers.pass(24 * 60 * minute)
        expect(world.minted).toBe(asked)
      },
    ),
    { numRuns: 300 },
  )
})
