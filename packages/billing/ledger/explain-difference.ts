import { formatUsd } from '../money/usd.ts'
import type { LedgerDifference } from './ledger-store.ts'

/** A difference in words: what does not agree, and what to look at first. */
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
  'Nothing of the gateway does this: look for a change made past it, or for a backup that was put back ' +
  'in part.'
const correct =
  'Post an `adjustment` of the difference, with the reason, once it is known which of the two is right.'
const figuresOnly =
  'The ledger is not touched by it: balances and charges are right, figures of usage are not. ' +
  'Look for a change made past the gateway.'

/** By what a subject begins with; `(.+)` is what it is about. The first that fits is taken. */
const rules: readonly Rule[] = [
  {
    subject: /^balance of (.+)$/,
    meaning: ({ name, expected, found }) =>
      `The balance that is kept for ${name} is ${found}, and its entries add up to ${expected}.`,
    remedy: `${anotherHand} ${correct}`,
  },
  {
    subject: /^leases of (.+)$/,
    meaning: ({ name, expected, found }) =>
      `Of ${name}, ${found} are marked as given out to nodes, and nodes hold ${expected}.`,
    remedy:
      'Leases end by themselves with their nodes. If it stays after a restart of all nodes, it is a fault: ' +
      'report it.',
  },
  {
    subject: /^(sum over all ledger accounts)$/,
    meaning: ({ found }) => `Over all accounts, credit and debit must come to 0, and come to ${found}.`,
    remedy: 'The balances that differ are named beside this one: mend those, and this goes with them.',
  },
  {
    subject: /^usage transfer of (.+)$/,
    meaning: ({ name, expected, found }) =>
      `The request ${name} was charged ${expected}, and the ledger has ${found} for it.`,
    remedy: correct,
  },
  {
    subject: /^payer of (.+)$/,
    meaning: ({ name, expected, found }) =>
      `The request ${name} is to be paid by ${expected}, and the ledger took it from ${found}.`,
    remedy: anotherHand,
  },
  {
    subject: /^account charged for (.+)$/,
    meaning: ({ name, expected, found }) =>
      `The request ${name} is of ${expected}, and the ledger charged ${found}.`,
    remedy: anotherHand,
  },
  {
    subject: /^charge of (.+), set aside in (.+)$/,
    meaning: ({ name, expected, found }) =>
      `The charge of ${name}, ${expected}, is in no ledger: the database refused its row (${found}).`,
    remedy:
      'Look at the rows that were set aside: find the reason, then write the row again or settle it by hand.',
  },
  {
    subject: /^(further rows set aside|further differences)$/,
    meaning: ({ name, found }) => `There are ${found} ${name}, which are not named here.`,
    remedy: 'Mend those that are named, then verify again.',
  },
  {
    subject: /^bytes that are no rows in (.+)$/,
    meaning: ({ name, found }) =>
      `In ${name}, ${found} bytes cannot be read as rows: charges may be missing.`,
    remedy:
      'See “What is in no ledger” in docs/operate.md: compare the request ids in the file, then delete it.',
  },
  {
    subject: /^charge of (.+)$/,
    meaning: ({ name, expected, found }) =>
      `By its own usage and prices, ${name} costs ${expected}; it was charged ${found}.`,
    remedy: `The usage or the prices of the row were changed, or it is a fault. ${correct}`,
  },
  {
    subject: /^vendor cost of (.+)$/,
    meaning: ({ name, expected, found }) =>
      `By its own usage and prices, the vendor is owed ${expected} for ${name}; ${found} is kept.`,
    remedy: 'No customer’s credit is touched by it: margins are off by the difference.',
  },
  {
    subject: /^account of (led_.+)$/,
    meaning: ({ name, expected, found }) =>
      `The entry ${name} moves the credit of ${expected}, and is said to be of ${found}.`,
    remedy: anotherHand,
  },
  {
    subject: /^request of (.+)$/,
    meaning: ({ name }) =>
      `The entry ${name} charges a request that is not there, though it should be kept still.`,
    remedy: anotherHand,
  },
  {
    subject: /^what (?:was|is) (paid|refunded|disputed) of (.+)$/,
    meaning: ({ name, expected, found }) =>
      `The top-up says ${found} (${name}), and the ledger’s entries for it come to ${expected}.`,
    remedy: 'Compare with the payment processor’s own record of this payment. ' + correct,
  },
  {
    subject: /^credit of (.+), which draws on another key$/,
    meaning: ({ name, found, expected }) =>
      `${name} uses another key’s credit and must have none but what nodes hold (${expected}); ` +
      `it has ${found}.`,
    remedy: 'Set its `draws_on` anew: what it has moves to the key that pays.',
  },
  {
    subject: /^(?:account|state) of the key that pays for (.+)$/,
    meaning: ({ name, expected, found }) =>
      `The key that pays for ${name} must be ${named(expected)}, and is ${named(found)}.`,
    remedy: 'Set its `draws_on` anew, to an active key of its account.',
  },
  {
    subject: /^usage totals of (\S+) against the ledger$/,
    meaning: ({ name, expected, found }) =>
      `On ${name} the ledger charged ${expected}, and the usage figures say ${found}.`,
    remedy: figuresOnly,
  },
  {
    subject: /^((?:usage totals|hours|month) .+)$/,
    meaning: ({ name }) => `Sums that must be the same are not: ${name}.`,
    remedy: figuresOnly,
  },
]

/** What a difference means; amounts in it are told in USD. */
export function explainDifference({ subject, expected, found }: LedgerDifference): DifferenceExplained {
  for (const rule of rules) {
    const match = rule.subject.exec(subject)
    if (match === null) continue
    const isMoney = !/^further|^bytes/.test(subject)
    const amounts = isMoney ? { expected: inUsd(expected), found: inUsd(found) } : { expected, found }
    const name = match[2] !== undefined && subject.startsWith('what') ? `${match[2]}, ${match[1]}` : match[1]!
    return { meaning: rule.meaning({ name, ...amounts }), remedy: rule.remedy }
  }
  return { meaning: `${subject}: ${expected} was expected, ${found} was found.`, remedy: anotherHand }
}

/** Amounts are pico-USD; whatever else was compared stays as it is. */
function inUsd(text: string): string {
  return /^-?\d{1,30}$/.test(text) ? `${formatUsd(BigInt(text))} USD` : text
}

/** `active,,`: its status, what replaced it, whom it draws on. */
function named(state: string): string {
  const [status, replacedBy, drawsOn] = state.split(',')
  if (replacedBy === undefined) return state
  const further = [replacedBy && `replaced by ${replacedBy}`, drawsOn && `drawing on ${drawsOn}`]
  return [status, ...further.filter((one) => one !== undefined && one !== '')].join(', ')
}
