import type { CallerFormat } from '@turnpike/dialects'
import { generate } from './generate/rules.ts'
import type { OperationRules } from './rules.ts'

/** Every operation that callers may ask for. */
export const operations: Readonly<Record<CallerFormat['operation'], OperationRules>> = { generate }
