import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { GatewayProcess } from '../../../tests/nodes/gateway-process.ts'
import { startPreloaded } from './testing/preloaded-gateway.ts'

/** Preloaded into the gateway: names the management API on standard error when it is loaded. */
const tellLoaded = `
  import { registerHooks } from 'node:module'
  registerHooks({
    load(url, context, next) {
      if (url.endsWith('/management-api.ts')) process.stderr.write('the management API is loaded')
      return next(url, context)
    },
  })`

/** Longer than work of the first moments after a start could be put off. */
const quietMs = 2_500

let gateway: GatewayProcess
let remove: () => Promise<void>

beforeEach(async () => {
  ;({ gateway, remove } = await startPreloaded(tellLoaded))
})
afterEach(() => remove())

test('a gateway loads its management API with the first request that needs it', async () => {
  const answer = await gateway.chat({ model: 'vendor/echo', messages: [{ role: 'user', content: 'hello' }] })
  expect(answer.status).toBe(200)
  for (const path of ['/healthz', '/readyz'])
    expect((await fetch(`${gateway.origin}${path}`)).status).toBe(200)
  await delay(quietMs)
  expect(gateway.stderr).not.toContain('the management API is loaded')
  expect((await fetch(`${gateway.origin}/openapi.json`)).status).toBe(200)
  expect(gateway.stderr).toContain('the management API is loaded')
})
