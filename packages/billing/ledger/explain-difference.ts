import { formatUsd } from '../money/usd.ts'
import type { LedgerDifference } from './ledger-store.ts'

/** A difference in words: what does not agree, and what to check first. */
export interface DifferenceExplained {
  meaning: string
  remedy: string
}

interface Rule {
  subject: RegExp
  meaning(found: { name: string; expected: string; found: string }): string
  remedy: string
}

const anotherHand =
  'The gateway itself never does this. Look for a change made directly in the database, or for a backup ' +
  'that was restored only in part.'
const correct =
  'Once you know which of the two is right, post an `adjustment` for the difference, with the reason.'
const figuresOnly =
  'The ledger is not affected: balances and charges are right, but usage figures are wrong. ' +
  'Look for a change made directly in the database.'

/** By a subject's beginning; `(.+)` is the object it is about. The first match applies. */
const rules: readonly Rule[] = [
  {
    subject: /^balance of (.+)$/,
    meaning: ({ name, expected, found }) =>
      `The stored balance of ${name} is ${found}, but its entries add up to ${expected}.`,
    remedy: `${anotherHand} ${correct}`,
  },
  {
    subject: /^leases of (.+)$/,
    meaning: ({ name, expected, found }) =>
      `${found} of ${name} is marked as leased to nodes, but nodes hold ${expected}.`,
    remedy:
      'Leases end when their nodes stop. If this remains after all nodes have restarted, it is a bug: ' +
      'please report it.',
  },
  {
    subject: /^(sum over all ledger accounts)$/,
    meaning: ({ found }) => `Credit and debit over all accounts must add up to 0, but add up to ${found}.`,
    remedy: 'Correct the balances that are listed with this difference, and it goes away.',
  },
  {
    subject: /^usage transfer of (.+)$/,
    meaning: ({ name, expected, found }) =>
      `The request ${name} was charged ${expected}, but the ledger has ${found} for it.`,
    remedy: correct,
  },
  {
    subject: /^payer of (.+)$/,
    meaning: ({ name, expected, found }) =>
      `The request ${name} should be paid by ${expected}, but the ledger took it from ${found}.`,
    remedy: anotherHand,
  },
  {
    subject: /^account charged for (.+)$/,
    meaning: ({ name, expected, found }) =>
      `The request ${name} belongs to ${expected}, but the ledger charged ${found}.`,
    remedy: anotherHand,
  },
  {
    subject: /^charge of (.+), set aside in (.+)$/,
    meaning: ({ name, expected, found }) =>
      `The charge of ${name}, ${expected}, is missing from the ledger: the database rejected its ` +
      `row (${found}).`,
    remedy: 'Look at the set-aside rows. Find the reason, then write the row again or settle it by hand.',
  },
  {
    subject: /^(further rows set aside|further differences)$/,
    meaning: ({ name, found }) => `There are ${found} ${name}, which are not listed here.`,
    remedy: 'Fix those that are listed, then verify again.',
  },
  {
    subject: /^bytes that are no rows in (.+)$/,
    meaning: ({ name, found }) =>
      `In ${name}, ${found} bytes cannot be read as rows: charges may be missing.`,
    remedy: 'Compare the request ids in the file with the ledger, then delete it (see docs/operate.md).',
  },
  {
    subject: /^charge of (.+)$/,
    meaning: ({ name, expected, found }) =>
      `According to its own usage and prices, ${name} costs ${expected}, but it was charged ${found}.`,
    remedy: `The usage or prices of the row were changed, or this is a bug. ${correct}`,
  },
  {
    subject: /^vendor cost of (.+)$/,
    meaning: ({ name, expected, found }) =>
      `According to its own usage and prices, the vendor cost of ${name} is ${expected}, but ` +
      `${found} is stored.`,
    remedy: 'No customer’s credit is affected. Margins are off by the difference.',
  },
  {
    subject: /^account of (led_.+)$/,
    meaning: ({ name, expected, found }) =>
      `The entry ${name} moves credit of ${expected}, but is recorded for ${found}.`,
    remedy: anotherHand,
  },
  {
    subject: /^request of (.+)$/,
    meaning: ({ name }) =>
      `The entry ${name} charges a request that is missing, although it is within the retention period.`,
    remedy: anotherHand,
  },
  {
    subject: /^what (?:was|is) (paid|refunded|disputed) of (.+)$/,
    meaning: ({ name, expected, found }) =>
      `The top-up says ${found} (${name}), but the ledger’s entries for it add up to ${expected}.`,
    remedy: 'Compare with the payment processor’s record of this payment. ' + correct,
  },
  {
    subject: /^credit of (.+), which draws on another key$/,
    meaning: ({ name, found, expected }) =>
      `${name} uses another key’s credit, so it may only have what nodes hold (${expected}), but ` +
      `it has ${found}.`,
    remedy: 'Set its `draws_on` again: its credit moves to the key that pays.',
  },
  {
    subject: /^(?:account|state) of the key that pays for (.+)$/,
    meaning: ({ name, expected, found }) =>
      `The key that pays for ${name} must be ${describeState(expected)}, but is ${describeState(found)}.`,
    remedy: 'Set its `draws_on` to an active key of the same account.',
  },
  {
    subject: /^usage totals of (\S+) against the ledger$/,
    meaning: ({ name, expected, found }) =>
      `On ${name} the ledger charged ${expected}, but the usage figures say ${found}.`,
    remedy: figuresOnly,
  },
  {
    subject: /^((?:usage totals|hours|month) .+)$/,
    meaning: ({ name }) => `Sums that must be equal differ: ${name}.`,
    remedy: figuresOnly,
  },
]

/** Explains a difference. Amounts in it are in USD. */
export function explainDifference({ subject, expected, found }: LedgerDifference): DifferenceExplained {
  for (const rule of rules) {
    const match = rule.subject.exec(subject)
    if (match === null) continue
    const isMoney = !/^further|^bytes/.test(subject)
    const amounts = isMoney ? { expected: inUsd(expected), found: inUsd(found) } : { expected, found }
    const name = match[2] !== undefined && subject.startsWith('what') ? `${match[2]}, ${match[1]}` : match[1]!
    return { meaning: rule.meaning({ name, ...amounts }), remedy: rule.remedy }
  }
  return { meaning: `${subject}: expected ${expected}, found ${found}.`, remedy: anotherHand }
}

/** Converts amounts from pico-USD; other values stay as they are. */
function inUsd(text: string): string {
  return /^-?\d{1,30}$/.test(text) ? `${formatUsd(BigInt(text))} USD` : text
}

/** `active,,`: the key's status, its replacement, and the key that it draws on. */
function describeState(state: string): string {
  const [status, replacedBy, drawsOn] = state.split(',')
  if (replacedBy === undefined) return state
  const further = [replacedBy && `replaced by ${replacedBy}`, drawsOn && `draws on ${drawsOn}`]
  return [status, ...further.filter((one) => one !== undefined && one !== '')].join(', ')
}
