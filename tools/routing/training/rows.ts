import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { tiers, type Tier } from '@turnpike/routing'

/** A line of the data: a prompt, and either the models' results or the tier that somebody assigned. */
export interface Row {
  source: string
  id: string
  prompt: string
  /** By model, 0 to 1; empty if no model was evaluated. */
  labels: Record<string, number>
  /** Rows with the same key are the same question, and never on both sides of a split. */
  key: string
  tier: Tier | undefined
  language: string | undefined
  domain: string | undefined
  contaminated: boolean
}

/** The source of rows that `synthetic-asks.ts` generates. */
export const syntheticSource = 'synthetic'

/** Every row of a folder's `*.jsonl.gz`, ordered by file name and line. */
export function readRows(folder: string): Row[] {
  const rows: Row[] = []
  for (const name of readdirSync(folder).sort()) {
    if (!name.endsWith('.jsonl.gz')) continue
    const lines = gunzipSync(readFileSync(join(folder, name)))
      .toString('utf8')
      .split('\n')
    for (const line of lines) if (line !== '') rows.push(rowOf(line, `${name}: ${line.slice(0, 80)}`))
  }
  if (rows.length === 0) throw new Error(`${folder} holds no *.jsonl.gz with rows in it`)
  return rows
}

function rowOf(line: string, where: string): Row {
  const record = JSON.parse(line) as Record<string, unknown>
  const { source, id, prompt, key, tier } = record
  if (typeof source !== 'string' || typeof prompt !== 'string' || typeof key !== 'string')
    throw new Error(`not a row (source, prompt and key are strings): ${where}`)
  return {
    source,
    id: String(id),
    prompt,
    labels: labelsOf(record.labels),
    key,
    tier: tiers.find((one) => one === tier),
    language: textOf(record.lang),
    domain: textOf(record.domain) ?? textOf(record.category),
    contaminated: record.contaminated === 1,
  }
}

function labelsOf(value: unknown): Record<string, number> {
  const labels: Record<string, number> = {}
  if (typeof value !== 'object' || value === null) return labels
  for (const [model, score] of Object.entries(value)) if (typeof score === 'number') labels[model] = score
  return labels
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** The part, out of `count`, that a question belongs to; depends on the question alone. */
export function foldOf(key: string, count: number): number {
  return Number.parseInt(key.slice(0, 8), 16) % count
}

const families: readonly (readonly [RegExp, string])[] = [
  [/gsm/, 'gsm8k'],
  [/mmlupro/, 'mmlu-pro'],
  [/mmlu/, 'mmlu'],
  [/math/, 'math'],
  [/crux/, 'cruxeval'],
  [/arc/, 'arc'],
  [/mbpp|human_eval/, 'mbpp'],
  [/winogr/, 'winogrande'],
]

/** The benchmark that a row belongs to in any source, and that is left out as a whole. */
export function benchmarkOf({ source, domain }: Row): string {
  const name = source === 'llmrouter-nim9' ? (domain ?? '') : source
  return (
    families.find(([pattern]) => pattern.test(name))?.[1] ??
    (source === 'llmrouter-nim9' ? 'open-qa' : source)
  )
}
