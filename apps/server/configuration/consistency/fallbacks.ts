import { profileOf } from '@turnpike/gateway'
import { KnownModels } from '../known-models.ts'
import type { Path } from '../mistakes/mistake.ts'
import type { ConfigurationInput } from '../schema/schema.ts'

const vectorsAlone =
  'an embedding model cannot have fallbacks, since vectors of different models are not comparable; ' +
  'add upstreams instead'

/** Finds mistakes in the models' fallbacks. */
export function* findWrongFallbacks(input: ConfigurationInput): Generator<{ path: Path; message: string }> {
  const known = new KnownModels(input)
  for (const [id, { fallbacks = [] }] of Object.entries(input.models ?? {})) {
    for (const [index, fallback] of fallbacks.entries()) {
      const path = ['models', id, 'fallbacks', index]
      if (known.hasVectors(id)) yield { path, message: vectorsAlone }
      else if (fallback === id) yield { path, message: 'a model cannot fall back to itself' }
      else if (fallbacks.indexOf(fallback) < index) yield { path, message: `"${fallback}" is listed twice` }
      else if (!known.has(fallback)) yield { path, message: known.unknown(fallback) }
      else if (profileOf(input.models?.[fallback]?.alias_of ?? '') !== undefined)
        yield { path, message: `"${fallback}" is an alias of auto-routing, which cannot be a fallback` }
    }
  }
}
