import type { CallerFormat } from '@turnpike/dialects'
import { embed } from './embed/rules.ts'
import { generate } from './generate/rules.ts'
import { moderate } from './moderate/rules.ts'
import { rerank } from './rerank/rules.ts'
import type { OperationRules } from './rules.ts'

/** Every operation that callers can request. */
export const operations: Readonly<Record<CallerFormat['operation'], OperationRules>> = {
  generate,
  embed,
  rerank,
  moderate,
}
