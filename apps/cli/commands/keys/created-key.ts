import { dollars, type CreatedKey } from '@turnpike/api'
import type { Context } from '../../context.ts'
import { lastKeyPath, writeLastKey } from '../../files/last-key.ts'
import { record, type Result } from '../../output/result.ts'

/** Shows a new key, which cannot be shown again, and caches it for `env`, `test` and `models`. */
export async function showCreatedKey(context: Context, key: CreatedKey, isCached: boolean): Promise<Result> {
  const { output, directory } = context
  let failure: unknown
  if (isCached) {
    try {
      await writeLastKey(directory, key.raw)
    } catch (error) {
      failure = error
    }
  }
  if (isCached && failure === undefined) {
    output.say(output.messages.style.dim(`Cached in ${lastKeyPath(directory)}`))
  }
  output.warn('Save the key now. It will not be shown again.')
  output.say(output.messages.style.dim(creditWords(key)))
  if (failure === undefined) return record(key, () => `${key.raw}\n`)
  // The key exists and cannot be shown again, so a failure to cache it must not hide it.
  if (output.isJson) output.insist(key.raw)
  else output.write(`${key.raw}\n`)
  throw failure
}

function creditWords({ id, balance_usd: balance, draws_on: payer = null }: CreatedKey): string {
  if (payer !== null) return `It uses the account's credit, on ${payer}`
  if (balance !== '0') return `It has ${dollars(balance)} of credit`
  return `It has no credit yet: turnpike topup --amount 10 --key ${id}`
}
