import { join } from 'node:path'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { startFeatureNode } from '../messages/sdk/feature-node.ts'
import { runFeatures } from '../python/run-features.ts'
import { modelOf, styleNames } from '../vendors/scripted/styled-vendor.ts'
import { newKey } from './kept-node.ts'
import { suiteStart } from '../../nodes/suite.ts'

/** Python clients on `/v1/responses`, each feature with a vendor of each style. */

const python = inject('pythonProgram')

/** The functions of each script. */
const scripts: Record<string, string[]> = {
  'sdk/features.py': [
    'plain',
    'raw_events',
    'stream_helper',
    'asynchronous',
    'structured_output',
    'parsed_arguments',
    'tool_turns',
    'custom_tool',
    'vision',
    'document',
    'incomplete',
    'refusal',
    'count_tokens',
    'errors',
    'retries',
    'abort',
    'broken_stream',
  ],
  'agents/features.py': [
    'plain',
    'tools',
    'reasoning',
    'streamed',
    'handoff',
    'structured_output',
    'guardrail',
    'session',
  ],
  'langchain/features.py': ['invoke', 'stream', 'asynchronous', 'bind_tools', 'structured_output'],
}

/** The same with kept answers. */
const keptScripts: Record<string, string[]> = { 'sdk/features.py': ['state'] }

describe.runIf(python !== null)('Python', () => {
  const world = suiteStart(() => startFeatureNode())
  const responses = { store_days: 1, encryption_keys: [newKey()] }
  const keeping = suiteStart(() => startFeatureNode({ responses }))
  const wrong = new Map<string, string | null>()

  beforeAll(async () => {
    const models = styleNames.map(modelOf).join(',')
    const run = async ([script, features]: [string, string[]], { node, key } = world): Promise<void> => {
      const args = [node.origin, key.raw, models, ...features]
      const results = await runFeatures(python!, join(import.meta.dirname, script), args)
      for (const [feature, why] of results) wrong.set(`${script} ${feature}`, why)
    }
    await Promise.all([
      ...Object.entries(scripts).map((one) => run(one)),
      ...Object.entries(keptScripts).map((one) => run(one, keeping)),
    ])
  })

  describe.each([...Object.entries(scripts), ...Object.entries(keptScripts)])('%s', (script, features) => {
    const tests = styleNames.flatMap((style) => features.map((name) => `${modelOf(style)} ${name}`))
    test.each(tests)('%s', (name) => {
      const why = wrong.get(`${script} ${name}`)
      expect(why, why ?? undefined).toBeNull()
    })
  })

  test("closes the vendor's streams that it closed at the gateway", async () => {
    await world.vendor.journal.awaitSettled()
    const left = world.vendor.journal.entries.filter(({ request }) =>
      request.body.includes('[[silent responses]]'),
    )
    expect(left.map(({ ending }) => ending)).toEqual(styleNames.map(() => 'client-closed'))
  })
})
