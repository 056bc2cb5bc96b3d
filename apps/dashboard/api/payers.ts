import { parseUsd } from '../format/money.ts'
import type { Schemas } from './client.ts'

type Key = Schemas['Key']

/*
 * Whose credit a key uses: its own, or that of the key on which it draws. Keys are listed the oldest first.
 */

/** Those whose credit others may use; the first one is the account's default key. */
export function payersAmong(keys: readonly Key[]): Key[] {
  return keys.filter((key) => isInUse(key) && key.draws_on === null)
}

/** Undefined where the list does not have it. */
export function payerOf(key: Key, keys: readonly Key[]): Key | undefined {
  return key.draws_on === null ? key : keys.find(({ id }) => id === key.draws_on)
}

/** Active keys that draw on this one. */
export function drawersOf({ id }: Pick<Key, 'id'>, keys: readonly Key[]): Key[] {
  return keys.filter((key) => key.draws_on === id && key.status === 'active')
}

/**
 * Who has a key's credit once it is revoked, and pays for those that drew on it: the default key; where all
 * others draw, the oldest of them. Undefined where there is none: then its credit waits
 * (docs/contract.md, 4.3).
 */
export function heirOf({ id }: Pick<Key, 'id'>, keys: readonly Key[]): Key | undefined {
  const others = keys.filter((key) => key.id !== id && isInUse(key))
  return payersAmong(others)[0] ?? others[0]
}

/** What a key may spend as far as credit goes, in pico-USD: what is on it, or on the one that pays. */
export function creditOf(key: Key, keys: readonly Key[]): bigint {
  return parseUsd((payerOf(key, keys) ?? key).balance_usd)
}

/** Neither revoked nor replaced. */
function isInUse({ status, replaced_by: replacedBy }: Key): boolean {
  return status === 'active' && replacedBy === null
}

/** The first few by name. */
export function namesOf(keys: readonly Pick<Key, 'name'>[]): string {
  const named = keys.slice(0, mostNames).map(({ name }) => name)
  const rest = keys.length - named.length
  return rest > 0 ? `${named.join(', ')} and ${rest} more` : named.join(', ')
}

const mostNames = 5

/** What becomes of a key that draws on another when credit is given to it by name; undefined: nothing. */
export function ownFromThen(key: Key | undefined, keys: readonly Key[]): string | undefined {
  if (key === undefined || key.draws_on === null) return undefined
  const payer = payerOf(key, keys)?.name ?? 'another key'
  return `It currently uses the credit of ${payer}. From then on it only spends its own credit.`
}
