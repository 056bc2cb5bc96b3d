import type { Sighting } from '../clients/sighting.ts'

const needed = /may cost up to (\d+(?:\.\d+)?) USD/

/** The credit that a refused request would have needed, in USD. */
export function neededUsd(error: Sighting['error']): string {
  return needed.exec(error?.message ?? '')?.[1] ?? '0'
}

/** Whether it was refused for its key's spend limit, rather than for lack of credit. */
export function isOfLimit(error: Sighting['error']): boolean {
  return error?.message.startsWith("The key's spend limit") === true
}

/** Whether a plain answer was withheld because it had more output than the credit was known to cover. */
export function isNotGiven(error: Sighting['error']): boolean {
  return /^The (?:answer has |credit for the rest of this answer)/.test(error?.message ?? '')
}

/** Whether it was refused for a budget. */
export function isOfBudget(error: Sighting['error']): boolean {
  return error?.message.startsWith('The budget "') === true
}
