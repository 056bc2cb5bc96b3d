import { UpstreamFailure } from '@turnpike/gateway'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { createSandboxVendor } from '../sandbox/vendor.ts'
import { collect, echoBody } from './testing/collect.ts'
import { Director } from './director.ts'
import { createInProcessClient } from './in-process.ts'
import { billedOf } from './journal.ts'
import type { UpstreamCall, UpstreamClient } from '@turnpike/gateway'

let director: Director
let client: UpstreamClient

beforeEach(() => {
  director = new Director(createSandboxVendor())
  client = createInProcessClient({
    perform: (request) => director.perform(request),
    Failure: UpstreamFailure,
  })
})

const streamed = { stream: true }
const timeouts = { connectMs: 1000, firstByteMs: 1000, idleMs: 1000, totalMs: 2000 }

async function elapsed(run: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await run()
  return performance.now() - startedAt
}

describe('order of calls', () => {
  test('a whole answer', async () => {
    const result = await collect(client, { body: echoBody('hello [sandbox: pace=0]') })
    expect(result.order).toEqual(['onCall', 'onHead', 'onData', 'onEnd'])
    expect(result.headers['content-length']).toBe(String(result.body.length))
  })

  test('makes no call within send except onCall', () => {
    const seen: string[] = []
    const note = (name: string) => () => void seen.push(name)
    client.send(
      {
        method: 'POST',
        origin: '',
        path: '/v1/chat/completions',
        headers: {},
        body: echoBody('[sandbox: pace=0] x'),
        timeouts,
      },
      {
        onCall: note('call'),
        onHead: note('head'),
        onData: note('data'),
        onEnd: note('end'),
        onError: note('error'),
      },
    )
    expect(seen).toEqual(['call'])
  })

  test.each([
    ['cut=2', ['onCall', 'onHead', 'onData', 'onError'], 'connection-lost'],
    ['cut=0', ['onCall', 'onHead', 'onError'], 'connection-lost'],
  ])('%s', async (knobs, order, reason) => {
    const result = await collect(client, { body: echoBody(`a b [sandbox: pace=0 ${knobs}]`, streamed) })
    expect(result.order).toEqual(order)
    expect(result.error).toMatchObject({ name: 'UpstreamFailure', reason })
  })

  test('a reset before the head', async () => {
    director.next({ fault: { kind: 'reset', at: 'start' } })
    const result = await collect(client, { body: echoBody('x') })
    expect(result.order).toEqual(['onCall', 'onError'])
  })
})

describe('timeouts', () => {
  test.each([
    ['hang', { firstByteMs: 50 }, 'first-byte-timeout'],
    ['delay=1s', { firstByteMs: 50 }, 'first-byte-timeout'],
    ['stall=2 pace=0', { idleMs: 50 }, 'idle-timeout'],
    ['pace=5/s delay=1ms', { idleMs: 50 }, 'idle-timeout'],
    ['pace=50/s delay=1ms tokens=100', { totalMs: 80 }, 'total-timeout'],
    ['hang', { totalMs: 50 }, 'total-timeout'],
  ])('%s, %j: %s', async (knobs, more, reason) => {
    const body = echoBody(`a b c [sandbox: ${knobs}]`, streamed)
    let result
    const ms = await elapsed(async () => {
      result = await collect(client, { body, timeouts: { ...timeouts, ...more } })
    })
    expect(result).toMatchObject({ error: { reason } })
    expect(ms).toBeGreaterThanOrEqual(48)
    expect(director.journal.entries[0]!.ending).toBe('client-closed')
  })

  test('a pause does not count as the vendor’s silence', async () => {
    const body = echoBody('a b c d [sandbox: pace=0]', streamed)
    const onChunk = (call: UpstreamCall, _chunk: Buffer, count: number): void => {
      if (count !== 2) return
      call.pause()
      setTimeout(() => call.resume(), 120)
    }
    const result = await collect(client, { body, timeouts: { ...timeouts, idleMs: 50 }, onChunk })
    expect(result.order.at(-1)).toBe('onEnd')
  })

  test('the total time continues in a pause', async () => {
    const body = echoBody('a b c d [sandbox: pace=0]', streamed)
    const result = await collect(client, {
      body,
      timeouts: { ...timeouts, totalMs: 60 },
      onChunk: (call) => call.pause(),
    })
    expect(result.error).toMatchObject({ reason: 'total-timeout' })
    expect(result.chunks).toHaveLength(1)
  })
})

describe('pause and resume', () => {
  test('delivers nothing in a pause, and everything after it in order', async () => {
    const body = echoBody('a b c d e f g h [sandbox: pace=0]', streamed)
    let whilePaused = 0
    let paused = false
    const whole = await collect(client, { body })
    const result = await collect(client, {
      body,
      onChunk: (call) => {
        if (paused) whilePaused++
        paused = true
        call.pause()
        setTimeout(() => {
          paused = false
          call.resume()
        }, 2)
      },
    })
    expect(whilePaused).toBe(0)
    expect(result.body).toBe(whole.body)
  })

  test('loses no time in a pause: what was due meanwhile is delivered at once', async () => {
    const body = echoBody('a b c d e f g h i j [sandbox: delay=1ms pace=50/s]', streamed)
    const onChunk = (call: UpstreamCall, _chunk: Buffer, count: number): void => {
      if (count !== 1) return
      call.pause()
      setTimeout(() => call.resume(), 250)
    }
    const ms = await elapsed(() => collect(client, { body, onChunk }))
    expect(ms).toBeLessThan(400)
  })

  test('pausing and resuming in one turn changes nothing', async () => {
    const result = await collect(client, {
      body: echoBody('a b c [sandbox: pace=0]', streamed),
      onChunk: (call) => {
        call.pause()
        call.resume()
        call.resume()
      },
    })
    expect(result.order).toEqual(['onCall', 'onHead', 'onData', 'onEnd'])
  })

  test('a pause before the head delays the body, not the head', async () => {
    const order: string[] = []
    const ended = collect(client, {
      body: echoBody('a [sandbox: pace=0]', streamed),
      onCall: (call) => {
        call.pause()
        setTimeout(() => {
          order.push('resume')
          call.resume()
        }, 30)
      },
      onChunk: () => order.push('chunk'),
    })
    await ended
    expect(order[0]).toBe('resume')
  })
})

describe('abort', () => {
  const reason = new Error('the client left')

  test.each([1, 2, 5])('in chunk %i: calls onError with the reason, and nothing after it', async (at) => {
    const result = await collect(client, {
      body: echoBody('a b c d [sandbox: pace=0]', streamed),
      onChunk: (call, _chunk, count) => {
        if (count !== at) return
        call.abort(reason)
        call.abort(new Error('again'))
        call.resume()
      },
    })
    await sleep(5)
    expect(result.error).toBe(reason)
    expect(result.chunks).toHaveLength(at)
    expect(result.order.filter((name) => name === 'onError')).toHaveLength(1)
    const [entry] = director.journal.entries
    expect(entry).toMatchObject({ ending: 'client-closed', tokensSent: Math.max(0, at - 1) })
    expect(billedOf(entry!)!.completionTokens).toBe(at - 1)
  })

  test('in onCall: does not call the vendor', async () => {
    const result = await collect(client, { body: echoBody('a'), onCall: (call) => call.abort(reason) })
    expect(result).toMatchObject({ order: ['onCall', 'onError'], error: reason })
    expect(director.journal.total).toBe(0)
  })

  test('while it hangs, and while it is paused', async () => {
    for (const knobs of ['hang', 'pace=0 stall=1']) {
      const ms = await elapsed(() =>
        collect(client, {
          body: echoBody(`a [sandbox: ${knobs}]`, streamed),
          onCall: (call) => {
            call.pause()
            setTimeout(() => call.abort(reason), 20)
          },
        }),
      )
      expect(ms).toBeLessThan(200)
    }
    expect(director.journal.open).toBe(0)
  })

  test('after the end: does nothing', async () => {
    let call: UpstreamCall | undefined
    const result = await collect(client, {
      body: echoBody('a [sandbox: pace=0]'),
      onCall: (given) => (call = given),
    })
    call!.abort(reason)
    await sleep(5)
    expect(result.order.at(-1)).toBe('onEnd')
  })

  test('a receiver that throws fails its call with that error', async () => {
    const result = await collect(client, {
      body: echoBody('a b [sandbox: pace=0]', streamed),
      onChunk: () => {
        throw reason
      },
    })
    expect(result.error).toBe(reason)
  })
})

test('plans from a path split, cut and label in-process too', async () => {
  const body = echoBody('one two [sandbox: pace=0]', streamed)
  const whole = await collect(client, { body })
  const split = await collect(client, { body, path: '/split/7:5/label/mine/v1/chat/completions' })
  expect(split.body).toBe(whole.body)
  expect(split.chunks.length).toBeGreaterThan(whole.chunks.length * 10)
  const cut = await collect(client, { body, path: '/reset/0.5/v1/chat/completions' })
  expect(cut.body).toBe(whole.body.slice(0, Math.floor(whole.body.length / 2)))
  expect(cut.error).toMatchObject({ reason: 'connection-lost' })
  const [entry] = director.journal.findByLabel('mine')
  expect(entry!.request.path).toBe('/v1/chat/completions')
  expect(entry!.bytesSent).toBe(whole.body.length)
  expect(entry!.tokensSent).toBe(2)
})
