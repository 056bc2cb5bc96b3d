import { join } from 'node:path'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { runFeatures } from '../../python/run-features.ts'
import { modelOf, styleNames } from '../../vendors/scripted/styled-vendor.ts'
import { startFeatureNode } from './feature-node.ts'
import { suiteStart } from '../../../nodes/suite.ts'

/** Features of Python's `anthropic` package, each with a vendor of each style. */

const python = inject('pythonProgram')

/** Functions of `features.py`. */
const features = [
  'plain',
  'raw_events',
  'stream_helper',
  'asynchronous',
  'tool_runner',
  'thinking',
  'prompt_caching',
  'vision',
  'document',
  'structured_output',
  'count_tokens',
  'models',
  'retries',
  'abort',
  'broken_stream',
]

describe.runIf(python !== null).each(styleNames)("Python's SDK, with a vendor of the style %s", (style) => {
  const world = suiteStart(() => startFeatureNode())
  let wrong: Map<string, string | null>

  beforeAll(async () => {
    const script = join(import.meta.dirname, 'features.py')
    wrong = await runFeatures(python!, script, [
      world.node.origin,
      world.key.raw,
      modelOf(style),
      ...features,
    ])
  })

  test.each(features)('%s', (feature) => {
    expect(wrong.get(feature), wrong.get(feature) ?? undefined).toBeNull()
  })

  test("closes the vendor's streams that it closed at the gateway", async () => {
    await world.vendor.journal.awaitSettled()
    const entry = world.vendor.journal.entries.findLast(({ request }) =>
      request.body.includes('[[silent python]]'),
    )
    expect(entry!.ending).toBe('client-closed')
  })
})
