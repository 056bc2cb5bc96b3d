import { parseUsd } from '../format/money.ts'
import type { Schemas } from './client.ts'

type Key = Schemas['Key']

/*
 * Whose credit a key uses: its own, or that of the key it draws on. Lists have the oldest key first.
 */

/** Keys whose credit others may use; the first one is the account's default key. */
export function payersAmong(keys: readonly Key[]): Key[] {
  return keys.filter((key) => isInUse(key) && key.draws_on === null)
}

/** Undefined if the list does not contain it. */
export function payerOf(key: Key, keys: readonly Key[]): Key | undefined {
  return key.draws_on === null ? key : keys.find(({ id }) => id === key.draws_on)
}

/** Active keys that draw on this one. */
export function drawersOf({ id }: Pick<Key, 'id'>, keys: readonly Key[]): Key[] {
  return keys.filter((key) => key.draws_on === id && key.status === 'active')
}

/**
 * The key that gets the credit of a revoked key, and pays for the keys that drew on it: the default key,
 * or, if all others draw on a key, the oldest of them. Undefined if there is none: then the credit stays on
 * the revoked key (docs/contract.md, 4.3).
 */
export function heirOf({ id }: Pick<Key, 'id'>, keys: readonly Key[]): Key | undefined {
  const others = keys.filter((key) => key.id !== id && isInUse(key))
  return payersAmong(others)[0] ?? others[0]
}

/** The credit that a key can spend, in pico-USD: its own balance, or that of the key that pays. */
export function creditOf(key: Key, keys: readonly Key[]): bigint {
  return parseUsd((payerOf(key, keys) ?? key).balance_usd)
}

/** Neither revoked nor replaced. */
function isInUse({ status, replaced_by: replacedBy }: Key): boolean {
  return status === 'active' && replacedBy === null
}

/** The names of the first few keys. */
export function namesOf(keys: readonly Pick<Key, 'name'>[]): string {
  const named = keys.slice(0, mostNames).map(({ name }) => name)
  const rest = keys.length - named.length
  return rest > 0 ? `${named.join(', ')} and ${rest} more` : named.join(', ')
}

const mostNames = 5

/** The effect of giving credit to a key that draws on another; undefined: no effect. */
export function ownFromThen(key: Key | undefined, keys: readonly Key[]): string | undefined {
  if (key === undefined || key.draws_on === null) return undefined
  const payer = payerOf(key, keys)?.name ?? 'another key'
  return `It currently uses the credit of ${payer}. From then on it only spends its own credit.`
}
