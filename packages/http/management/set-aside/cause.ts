export const refusalCauses = ['owner', 'amount', 'time', 'unreadable', 'rule', 'other'] as const
export type RefusalCause = (typeof refusalCauses)[number]

/** By words of ours, of SQLite and of PostgreSQL; the first that fits. */
const words: readonly [RegExp, RefusalCause][] = [
  [/it is no record/i, 'unreadable'],
  [/foreign key|no such key|no such account/i, 'owner'],
  [/startedAtMs|partition/i, 'time'],
  [/chargePico|out of range|overflow|too big/i, 'amount'],
  [/constraint/i, 'rule'],
]

/** Why a row was refused, as far as the words tell. */
export function causeOf(reason: string): RefusalCause {
  return words.find(([pattern]) => pattern.test(reason))?.[1] ?? 'other'
}
