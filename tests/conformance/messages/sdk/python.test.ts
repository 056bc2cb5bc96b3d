import { describe, expect, inject, test } from 'vitest'
import { testPythonFeatures } from '../../python/test-features.ts'
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
  testPythonFeatures(import.meta.dirname, features, () => [world.node.origin, world.key.raw, modelOf(style)])

  test("closes the vendor's streams that it closed at the gateway", async () => {
    await world.vendor.journal.awaitSettled()
    const entry = world.vendor.journal.entries.findLast(({ request }) =>
      request.body.includes('[[silent python]]'),
    )
    expect(entry!.ending).toBe('client-closed')
  })
})
