import { healthDimensions, mostHealthGroups, tagDimension, type Health } from '@turnpike/api'
import { askAsUser } from '../../api/user-api.ts'
import type { Context } from '../../context.ts'
import { badInput } from '../../failure.ts'
import { record, type Result } from '../../output/result.ts'
import { wholeNumber } from '../../program/number-option.ts'
import { healthText } from './health-text.ts'

/** The options of `turnpike usage` besides `--health`. */
export interface HealthInput {
  days: number
  by: readonly string[]
  tag: readonly string[]
  key: string | undefined
  model: string | undefined
  endpoint: string | undefined
  operation: string | undefined
  limit: string | undefined
  cursor: string | undefined
}

/** Shows how requests went instead of what they cost. */
export async function usageHealth(context: Context, input: HealthInput): Promise<Result> {
  const { days, by, tag, key, model, limit } = input
  for (const name of ['endpoint', 'operation', 'cursor'] as const)
    if (input[name] !== undefined) throw badInput(`--${name}: cannot be combined with --health.`, `--${name}`)
  if (tag.length > 1) throw badInput('--tag: expected only one with --health.', '--tag')
  const known = [...healthDimensions, tagDimension].join(', ')
  if (by.length > 1 || by.some((one) => !isDimension(one)))
    throw badInput(`--by: with --health expected one of ${known}.`, '--by')
  if (by.length === 0 && limit !== undefined) throw badInput('--limit: requires --by.', '--limit')
  const most = wholeNumber(limit, '--limit', { min: 1, max: mostHealthGroups })
  const query = {
    days: String(days),
    by: by[0],
    tag: tag[0],
    key_id: key,
    model,
    limit: most === undefined ? undefined : String(most),
  }
  const health = await askAsUser<Health>(context, { path: '/api/v1/usage/health', query })
  return record(health, (screen) => healthText(health, screen))
}

function isDimension(name: string): boolean {
  return name.startsWith('tag:') || (healthDimensions as readonly string[]).includes(name)
}
