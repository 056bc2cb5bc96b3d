import type { Settings } from '../settings/settings.ts'
import type { Attachment, ReasoningDetail, ToolCall, Turn } from './turn.ts'

export interface Question {
  text: string
  attachments: readonly Attachment[]
}

/** One answer of a model: to a question, or to the results of its tool calls. */
export interface Step {
  text: string
  /** The model's reasoning, if it reports any. */
  reasoning: string
  /** Reasoning that must be sent back unchanged. */
  reasoningDetails: readonly ReasoningDetail[]
  toolCalls: readonly ToolCall[]
  /** The results of its tool calls, by the calls' IDs; absent: none yet. */
  results?: Readonly<Record<string, string>>
  facts: StepFacts
}

/** What is known about an answer; each fact is added when it is known. */
export interface StepFacts {
  /** The requested model. */
  asked: string
  model?: string
  /** The tier that auto-routing chose. */
  tier?: string
  route?: string
  costUsd?: string
  /** The cost is the gateway's estimate, because the vendor did not report the usage. */
  isEstimated?: boolean
  tokensIn?: number
  tokensOut?: number
  reasoningTokens?: number
  firstTokenMs?: number
  totalMs?: number
  requestId?: string
  /** Why it ended, if not by itself: `length`. */
  finish?: string
  /** Why it broke off. */
  problem?: string
  state: 'running' | 'done' | 'stopped' | 'failed'
}

/** A question, and the answer of each model. */
export interface Round {
  question: Question
  /** By place: left, then right. */
  answers: readonly (readonly Step[])[]
}

export interface Conversation {
  id: string
  createdMs: number
  changedMs: number
  models: readonly string[]
  settings: Settings
  rounds: readonly Round[]
}

export function newStep(asked: string): Step {
  return {
    text: '',
    reasoning: '',
    reasoningDetails: [],
    toolCalls: [],
    facts: { asked, state: 'running' },
  }
}

const titleCharacters = 60

export function titleOf({ rounds }: Pick<Conversation, 'rounds'>): string {
  const { text = '', attachments = [] } = rounds[0]?.question ?? {}
  const line = text
    .trim()
    .split('\n')[0]!
    .replace(/^[#>*\s-]+/, '')
  if (line === '') return attachments[0]?.name ?? 'No question yet'
  return line.length > titleCharacters ? `${line.slice(0, titleCharacters).trimEnd()}…` : line
}

/** Whether the model waits for the results of its tool calls. */
export function waitsForResults(step: Step | undefined): step is Step {
  return (
    step !== undefined &&
    step.toolCalls.length > 0 &&
    step.results === undefined &&
    step.facts.state === 'done'
  )
}

/** The answers of a place; if it was not used in this round, those of the first place. */
function answersAt(round: Round, place: number): readonly Step[] {
  return round.answers[place] ?? round.answers[0] ?? []
}

/** The conversation from the view of one model. */
export function turnsOf(rounds: readonly Round[], place: number): Turn[] {
  return rounds.flatMap((round) => [
    { role: 'user', ...round.question },
    ...answersAt(round, place).flatMap(turnsOfStep),
  ])
}

/** A tool call without a result would be refused, so only the text of such a step is kept. */
function turnsOfStep({ text, toolCalls, reasoningDetails, results }: Step): Turn[] {
  const calls = results === undefined ? [] : toolCalls
  if (text === '' && calls.length === 0) return []
  return [
    { role: 'assistant', text, toolCalls: calls, reasoningDetails },
    ...calls.map(({ id, name }): Turn => ({ role: 'tool', callId: id, name, text: results?.[id] ?? '' })),
  ]
}
