import { join } from 'node:path'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { startFeatureNode } from '../messages/sdk/feature-node.ts'
import { runFeatures } from '../python/run-features.ts'
import { modelOf, styleNames } from '../vendors/scripted/styled-vendor.ts'
import { suiteStart } from '../../nodes/suite.ts'

/** Features of Python's `google-genai` package, each with a vendor of each style. */

const python = inject('pythonProgram')

/** Functions of `features.py`. */
const features = [
  'plain',
  'streamed',
  'asynchronous',
  'chat',
  'automatic_calls',
  'forced_call',
  'structured_output',
  'vision',
  'count_tokens',
  'models',
  'refusals',
  'retries',
  'abort',
  'broken_stream',
  'silence',
]
const tests = styleNames.flatMap((style) => features.map((name) => `${modelOf(style)} ${name}`))

describe.runIf(python !== null)('Python', () => {
  const world = suiteStart(() => startFeatureNode())
  let wrong: Map<string, string | null>

  beforeAll(async () => {
    const models = styleNames.map(modelOf).join(',')
    const script = join(import.meta.dirname, 'features.py')
    wrong = await runFeatures(python!, script, [world.node.origin, world.key.raw, models, ...features])
  }, 300_000)

  test.each(tests)('%s', (name) => {
    expect(wrong.get(name), wrong.get(name) ?? undefined).toBeNull()
  })
})
