import type { OperationRules } from '../rules.ts'
import { billedUnits } from './billed-units.ts'
import { choicesGenerated, estimate, inputs, unnamedBound } from './estimate.ts'
import { mediaOf } from './media.ts'
import { inputSeen, quotable } from './texts.ts'

/** An answer of a model to messages, whole or streamed. */
export const generate: OperationRules = {
  spanName: 'chat',
  expectsOutput: true,
  estimate,
  unnamedBound,
  choices: choicesGenerated,
  inputs,
  billedUnits,
  texts: inputSeen,
  quotable,
  media: mediaOf,
}
