import type { EventData } from '../events/event.ts'

const periodNames: Record<string, string> = {
  day: 'a day',
  week: 'a week',
  month: 'a month',
  total: 'in total',
}

/** The text about a `budget.threshold` event: the spending, its effect, and when it resets. */
export function budgetWords(data: EventData): { subject: string; paragraphs: readonly string[] } {
  const of = (name: string): string => `${data[name] as string | number}`
  const { scope, subject, refused_usd: refused, resets_at: resetsAt } = data
  const isRefusing = typeof refused === 'string'
  const what = scope === 'organization' ? 'the whole account' : `${of('scope')} ${subject as string}`
  const time = periodNames[of('period')] ?? of('period')
  const limit = `${of('limit_usd')} USD ${time}`
  const facts = [
    `${of('spent_usd')} USD of the budget "${of('name')}" (${what}, ${limit}) is spent.`,
    ...(isRefusing ? [`The rest was not enough for a request that could cost up to ${refused} USD.`] : []),
    data['hard'] === true
      ? 'Requests over the limit are refused.'
      : 'This budget only notifies: requests over the limit are still served.',
    typeof resetsAt === 'number'
      ? `It resets at ${new Date(resetsAt * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC.`
      : 'It does not reset.',
  ]
  return {
    subject: isRefusing
      ? `The budget "${of('name')}" is refusing requests`
      : `The budget "${of('name')}" has reached ${of('percent')} %`,
    paragraphs: [facts.join(' ')],
  }
}
