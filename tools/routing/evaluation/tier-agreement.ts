import { tiers, type Tier } from '@turnpike/routing'
import { estimate, percent, formatPercent } from './bootstrap.ts'
import type { ScoredRow } from './scored-rows.ts'

interface Answer {
  wanted: number
  given: number
  language: string
}

function answersOf(scored: readonly ScoredRow[], tierOf: (one: ScoredRow) => Tier): Answer[] {
  return scored.flatMap((one) =>
    one.row.tier === undefined
      ? []
      : [
          {
            wanted: tiers.indexOf(one.row.tier),
            given: tiers.indexOf(tierOf(one)),
            language: one.row.language ?? 'none',
          },
        ],
  )
}

const share = (answers: readonly Answer[], holds: (answer: Answer) => boolean): number =>
  answers.filter(holds).length / answers.length
const agrees = ({ wanted, given }: Answer): boolean => wanted === given
const isUnder = ({ wanted, given }: Answer): boolean => given < wanted

/** A baseline that gives the longest prompts the highest tier, with the true number in each tier. */
function lengthTiers(scored: readonly ScoredRow[]): Map<string, Tier> {
  const labelled = scored.filter(({ row }) => row.tier !== undefined)
  const shares = labelled.map(({ row }) => tiers.indexOf(row.tier!)).sort((a, b) => a - b)
  const ordered = [...labelled].sort((a, b) => a.row.prompt.length - b.row.prompt.length)
  return new Map(ordered.map(({ row }, rank) => [row.id, tiers[shares[rank]!]!]))
}

export function agreementLines(scored: readonly ScoredRow[]): string[] {
  const answers = answersOf(scored, ({ score }) => score.tier)
  if (answers.length === 0) return []
  const lengths = lengthTiers(scored)
  const byLength = answersOf(scored, ({ row }) => lengths.get(row.id)!)
  const part = (given: readonly Answer[], holds: (answer: Answer) => boolean) =>
    estimate(given.length, (indexes) =>
      share(
        Array.from(indexes, (index) => given[index]!),
        holds,
      ),
    )
  const shares = tiers.map((_, tier) => share(answers, ({ wanted }) => wanted === tier))
  const chance = shares.reduce((sum, value) => sum + value * value, 0)
  return [
    `| chooser (${answers.length} prompts) | agrees with the label | under-routes |`,
    '| --- | --- | --- |',
    `| scorer | ${formatPercent(part(answers, agrees))} | ${formatPercent(part(answers, isUnder))} |`,
    line('by length (told the share of each tier)', share(byLength, agrees), share(byLength, isUnder)),
    line('random (told the share of each tier)', chance, (1 - chance) / 2),
    line('always REASONING', shares.at(-1)!, 0),
    '',
    ...languageLines(answers),
  ]
}

function line(name: string, agreeing: number, under: number): string {
  return `| ${name} | ${percent(agreeing)} | ${percent(under)} |`
}

function languageLines(answers: readonly Answer[]): string[] {
  const languages = [...new Set(answers.map(({ language }) => language))]
  const groups = languages
    .map((language) => ({ language, own: answers.filter((answer) => answer.language === language) }))
    .filter(({ own }) => own.length >= 10)
    .sort((a, b) => b.own.length - a.own.length)
  const row = (name: string, cell: (group: (typeof groups)[number]) => string | number): string =>
    `| ${[name, ...groups.map(cell)].join(' | ')} |`
  return [
    row('language', ({ language }) => language),
    row('---', () => '---'),
    row('prompts', ({ own }) => own.length),
    row('agrees', ({ own }) => percent(share(own, agrees))),
    row('under', ({ own }) => percent(share(own, isUnder))),
  ]
}

/** The share of a source's prompts that get this tier. */
export function tierShare(scored: readonly ScoredRow[], source: string, tier: Tier): number {
  const own = scored.filter(({ row }) => row.source === source)
  return own.length === 0 ? Number.NaN : own.filter(({ score }) => score.tier === tier).length / own.length
}

/** Shares of translations at most one tier away from their English original, and in the same tier. */
export function translationsAgree(scored: readonly ScoredRow[]): {
  withinOne: number
  same: number
  count: number
} {
  const english = new Map(
    scored
      .filter(({ row }) => row.source === 'zeroeval-gsm')
      .map(({ row, score }) => [row.key, tiers.indexOf(score.tier)]),
  )
  const distances = scored
    .filter(({ row }) => row.source === 'mgsm-translated' && english.has(row.key))
    .map(({ row, score }) => Math.abs(english.get(row.key)! - tiers.indexOf(score.tier)))
  const part = (most: number): number =>
    distances.filter((distance) => distance <= most).length / distances.length
  return { withinOne: part(1), same: part(0), count: distances.length }
}
