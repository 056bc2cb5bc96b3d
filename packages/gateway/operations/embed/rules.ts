import { embedWords, readEmbeddings, type Call } from '@turnpike/dialects'
import type { EmbedRequest } from '@turnpike/protocol'
import { nothingWritten } from '../nothing-written.ts'
import type { OperationRules } from '../rules.ts'
import { batch } from './batch.ts'
import { estimate, inputSeen, mostInputTokens, quotable } from './input.ts'

/** Embeds texts: no output tokens, and vectors of different models cannot be compared. */
export const embed: OperationRules<EmbedRequest, Call<EmbedRequest>> = {
  spanName: 'embeddings',
  ...nothingWritten,
  fieldRules: embedWords,
  oneModel: 'vectors of different models cannot be compared, so no other model may answer instead',
  estimate,
  mostInputTokens,
  texts: inputSeen,
  quotable,
  batch,
  readWhole: readEmbeddings,
}
