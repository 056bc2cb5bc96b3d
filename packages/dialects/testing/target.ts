import { modelTraits } from '@turnpike/vendors'
import type { FormatName, Target } from '../vendor.ts'

/** A model that honours no field by name. */
export function targetOf(format: FormatName, model: string, maxOutputTokens = 64_000): Target {
  return { model, maxOutputTokens, supportedParameters: [], traits: modelTraits(format, model) }
}
