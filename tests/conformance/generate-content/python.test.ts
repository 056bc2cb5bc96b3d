import { describe, inject } from 'vitest'
import { startFeatureNode } from '../messages/sdk/feature-node.ts'
import { testPythonFeatures } from '../python/test-features.ts'
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
  const args = () => [world.node.origin, world.key.raw, styleNames.map(modelOf).join(',')]
  testPythonFeatures(import.meta.dirname, features, args, tests)
})
