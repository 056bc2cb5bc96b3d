import { moderateWords, readModeration, type Call } from '@turnpike/dialects'
import type { ModerateRequest } from '@turnpike/protocol'
import { nothingWritten } from '../nothing-written.ts'
import type { OperationRules } from '../rules.ts'
import { estimate, inputSeen, mostInputTokens, quotable } from './input.ts'

/** Classifies harmful input: no output tokens. */
export const moderate: OperationRules<ModerateRequest, Call<ModerateRequest>> = {
  spanName: 'moderate',
  ...nothingWritten,
  fieldRules: moderateWords,
  estimate,
  mostInputTokens,
  texts: inputSeen,
  quotable,
  readWhole: readModeration,
}
