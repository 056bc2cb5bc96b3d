import { pairedRatio, ratio, type Medians, type Rounds } from './figures.ts'

export interface BudgetResult {
  what: string
  budget: string
  measured: number
  /** Undefined if a subject that it compares with is missing. */
  pass: boolean | undefined
}

/** The budgets for which there are measurements. */
export function budgetsOf(
  rounds: ReadonlyMap<string, Rounds>,
  medians: ReadonlyMap<string, Medians>,
): BudgetResult[] {
  const ours = rounds.get('turnpike')
  const own = medians.get('turnpike')
  if (ours === undefined || own === undefined) return []
  const bare = rounds.get('bare')
  const request = ratio(ours, bare, 'requestMicroseconds')
  const fresh = ratio(ours, bare, 'freshRequestMicroseconds')
  const portkeyRatio = 1 / ratio(ours, rounds.get('portkey'), 'requestMicroseconds')
  return [
    atMost('CPU a request before streams, to the bare proxy', fresh, 2.2, '×'),
    atMost('CPU a request after streams, to the bare proxy', request, 2.2, '×'),
    atMost('CPU a request, to the bare proxy (goal)', request, 1.3, '×'),
    atMost(
      'CPU an SSE event, same dialect, to the bare proxy',
      ratio(ours, bare, 'eventMicroseconds'),
      1.1,
      '×',
    ),
    atMost(
      "CPU an SSE event, translated, to the bare proxy's relaying",
      ratio(ours, bare, 'translatedMicroseconds'),
      1.5,
      '×',
    ),
    atMost(
      'CPU an event of Messages passed through, to one of chat',
      ratio(ours, ours, 'messagesMicroseconds', 'eventMicroseconds'),
      1,
      '×',
    ),
    atMost(
      "CPU an event of Google's API passed through, to the bare proxy",
      ratio(ours, bare, 'googleMicroseconds'),
      1.2,
      '×',
    ),
    atMost(
      "CPU an event of chat for callers of Google's API, to the bare proxy's relaying",
      ratio(ours, bare, 'chatToGoogleMicroseconds', 'eventMicroseconds'),
      1.6,
      '×',
    ),
    atMost(
      "CPU an event of Google's API for callers of chat, to the bare proxy's relaying",
      ratio(ours, bare, 'googleToChatMicroseconds', 'googleMicroseconds'),
      1.6,
      '×',
    ),
    ...ofResponses(ours, bare),
    {
      ...atMost('Portkey, CPU a request to ours', portkeyRatio, 8, '×'),
      budget: '≥ 8×',
      ...atLeast(portkeyRatio, 8),
    },
    atMost(
      'CPU of three budgets on a request, to none',
      pairedRatio(rounds.get('turnpike-budgets'), ours, ['freshRequestMicroseconds', 'requestMicroseconds']),
      1.02,
      '×',
    ),
    atMost('added latency at 500 requests/s, p50', own.addedP50Ms, 0.5, ' ms'),
    atMost('added latency at 500 requests/s, p99, before streams', own.freshP99Ms, 2, ' ms'),
    atMost('added latency at 500 requests/s, p99, after streams', own.addedP99Ms, 2, ' ms'),
    ...ofMemory(own),
    atMost('start on an existing data directory, to ready', own.startUpMs, 500, ' ms'),
  ]
}

function ofMemory(own: Medians): BudgetResult[] {
  return [
    atMost('memory when idle', own.idleMegabytes, 120, ' MB'),
    atMost('memory after all measures', own.loadedMegabytes, 250, ' MB'),
    atMost('memory of a silent open stream', own.streamKilobytes, 20, ' KB'),
  ]
}

function ofResponses(ours: Rounds, bare: Rounds | undefined): BudgetResult[] {
  return [
    atMost(
      'CPU an event of Responses passed through, to the bare proxy',
      ratio(ours, bare, 'responsesMicroseconds'),
      1.2,
      '×',
    ),
    atMost(
      "CPU an event of chat for callers of Responses, to the bare proxy's relaying",
      ratio(ours, bare, 'chatToResponsesMicroseconds', 'eventMicroseconds'),
      1.6,
      '×',
    ),
    atMost(
      "CPU an event of Responses for callers of chat, to the bare proxy's relaying",
      ratio(ours, bare, 'responsesToChatMicroseconds', 'responsesMicroseconds'),
      1.6,
      '×',
    ),
  ]
}

function atMost(what: string, measured: number, limit: number, unit: string): BudgetResult {
  const pass = Number.isNaN(measured) ? undefined : measured <= limit
  return { what, budget: `≤ ${limit}${unit}`, measured, pass }
}

function atLeast(measured: number, limit: number): Pick<BudgetResult, 'pass'> {
  return { pass: Number.isNaN(measured) ? undefined : measured >= limit }
}
