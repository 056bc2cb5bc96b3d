import { afterAll, describe, expect, it } from 'vitest'
import { suiteVendor } from '../../../tests/nodes/suite.ts'
import { startTestNode, type TestKey, type TestNode } from '../../../tests/nodes/test-node.ts'
import { ask, fourTiers, says, sendBackForty, type Routed } from './testing/four-tiers.ts'

const vendor = suiteVendor()
const nodes: TestNode[] = []

afterAll(async () => {
  for (const node of nodes) await node.stop()
})

async function started(calibration: 'off' | 'shadow' | 'on'): Promise<TestNode> {
  const input = { ...fourTiers(vendor), routing: { auto: { calibration } } }
  const node = await startTestNode({ input })
  nodes.push(node)
  return node
}

interface Row {
  tier: string
  route: { scored: string; calibrated: string | null; calibration: string; correction: number[] | null }
}

function rowOf(node: TestNode, key: TestKey, { id }: Routed): Promise<Row> {
  return node.admin<Row>(`/accounts/${key.accountId}/usage/requests/${id}`)
}

describe('the answers that an account sends back', () => {
  it('are recorded in shadow mode, and change nothing', async () => {
    const node = await started('shadow')
    const [key, other] = [await node.createKey(), await node.createKey()]
    const before = await ask(node, key, says('hi'))
    expect((await rowOf(node, key, before)).route).toMatchObject({
      scored: 'SIMPLE',
      calibrated: 'SIMPLE',
      calibration: 'shadow',
      correction: [0, 0, 0, 0],
    })
    await sendBackForty(node, key)
    const after = await ask(node, key, says('hi'))
    expect([after.tier, after.model, after.route]).toEqual([before.tier, before.model, before.route])
    expect(await rowOf(node, key, after)).toMatchObject({
      tier: 'SIMPLE',
      route: { scored: 'SIMPLE', calibrated: expect.not.stringMatching('SIMPLE') as string },
    })
    const theirs = await rowOf(node, other, await ask(node, other, says('hi')))
    expect(theirs.route).toMatchObject({ calibrated: 'SIMPLE', correction: [0, 0, 0, 0] })
  })

  it('move its prompts up if calibration is on, and the route says so', async () => {
    const node = await started('on')
    const [key, other] = [await node.createKey(), await node.createKey()]
    await sendBackForty(node, key)
    const after = await ask(node, key, says('hi'))
    expect(after.tier).not.toBe('SIMPLE')
    expect(after.route).toMatch(/^auto: scored SIMPLE \(.*\); this account's outcomes change it to \w+; /)
    expect((await ask(node, other, says('hi'))).tier).toBe('SIMPLE')
  })

  it('are ignored if calibration is off', async () => {
    const node = await started('off')
    const key = await node.createKey()
    await sendBackForty(node, key)
    const row = await rowOf(node, key, await ask(node, key, says('hi')))
    expect(row).toMatchObject({ tier: 'SIMPLE', route: { calibration: 'off', calibrated: null } })
  })

  it("do not count if they are another account's", async () => {
    const node = await started('on')
    const [victim, other] = [await node.createKey(), await node.createKey()]
    const attempts = Array.from({ length: 40 }, async (_, index) => {
      const { id } = await ask(node, victim, says(`hi ${index}`))
      await ask(node, other, { ...says('hello'), metadata: { retry_of: id } })
    })
    await Promise.all(attempts)
    for (const key of [victim, other]) {
      const { route } = await rowOf(node, key, await ask(node, key, says('hi')))
      expect(route.correction).toEqual([0, 0, 0, 0])
    }
  })
})
