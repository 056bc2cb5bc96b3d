import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { withoutWithheld } from '../../../packages/dialects/answers/withheld-members.ts'
import { startRefusingNode } from '../../../tests/conformance/refusing-node.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const longName = 'k'.repeat(4_000_000)
const names = 20
/** A quarter of the size of all the names. */
const mayStayBytes = (names * longName.length) / 4

async function heldBytes(): Promise<number> {
  // The engine keeps what it has just read for a moment.
  for (let round = 0; round < 3; round++) {
    await delay(50)
    collectGarbage()
  }
  return process.memoryUsage().heapUsed
}

test('unknown names in requests are not kept, however long they are', { timeout: 60_000 }, async () => {
  const world = await startRefusingNode()
  const message = '{"role":"user","content":"x [sandbox: pace=0]"}'
  const ask = async (count: number): Promise<void> => {
    const member = `"${longName}${count}":{"${longName}x${count}":"a"}`
    const body = `{"model":"openai/gpt-4o-mini","messages":[${message}],${member}}`
    const response = await world.post(body)
    await response.text()
    expect(response.status).toBe(200)
  }
  await ask(-1)
  const before = await heldBytes()
  for (let count = 0; count < names; count++) await ask(count)
  expect((await heldBytes()) - before).toBeLessThan(mayStayBytes)
  await world.stop()
})

test('names that a vendor invents are not kept', async () => {
  const before = await heldBytes()
  for (let count = 0; count < names; count++)
    withoutWithheld(JSON.parse(`{"${longName}${count}":1}`) as Record<string, unknown>)
  expect((await heldBytes()) - before).toBeLessThan(mayStayBytes)
})
