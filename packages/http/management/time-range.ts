import { invalidRequest } from '@turnpike/protocol'
import { Type } from 'typebox'
import { lastTimestamp } from './validation/fields.ts'

const time = (description: string) =>
  Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: lastTimestamp,
      description,
      'x-expected': 'a time in Unix epoch seconds',
    }),
  )

/** The query parameters of lists that can be limited to a time range. */
export const timeQuery = {
  from: time('From this time on, in Unix epoch seconds.'),
  to: time('Until before this time, in Unix epoch seconds.'),
}

/** @throws {GatewayError} 400 if it ends before it begins */
export function timeRange({ from, to }: { from?: number; to?: number }): { fromMs?: number; toMs?: number } {
  if (from !== undefined && to !== undefined && from >= to)
    throw invalidRequest('to', '`to`: expected a time after `from`.')
  return {
    ...(from !== undefined && { fromMs: from * 1000 }),
    ...(to !== undefined && { toMs: to * 1000 }),
  }
}
