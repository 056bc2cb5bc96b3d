export const refusalCauses = ['owner', 'amount', 'time', 'unreadable', 'rule', 'other'] as const
export type RefusalCause = (typeof refusalCauses)[number]

/** Matches messages of our own, of SQLite and of PostgreSQL; the first match counts. */
const words: readonly [RegExp, RefusalCause][] = [
  [/it is no record/i, 'unreadable'],
  [/foreign key|no such key|no such account/i, 'owner'],
  [/startedAtMs|partition/i, 'time'],
  [/chargePico|out of range|overflow|too big/i, 'amount'],
  [/constraint/i, 'rule'],
]

/** The cause of a refused row, as far as the message reveals it. */
export function causeOf(reason: string): RefusalCause {
  return words.find(([pattern]) => pattern.test(reason))?.[1] ?? 'other'
}
